import { dictionaries } from '../../../../locales/index.ts';
import type { Language } from '../../../../locales/languages.ts';
import type { AdminScreen } from '../admin/screen.ts';

/**
 * Words of this screen only: island props are written into the page. Probe messages come from the
 * API.
 */
export function dashboardWords(language: Language) {
  const { admin, common } = dictionaries[language];
  const { title: _, health: badges, upload: __, manageSlots: ___, ...overview } = admin.dashboard;
  const { healthyText: ____, title: system, ...health } = admin.health;
  const { rules: _____, mends: ______, ...rules } = admin.check;
  const {
    mail: _mail,
    folders: _folders,
    titles: _titles,
    figures: _figures,
    unknown: _unknown,
    ...alarms
  } = admin.alarms;
  const { pending, approved, rejected } = common.status;
  const { noImage } = common.product;
  return {
    ...overview,
    badgesTitle: badges,
    loading: common.states.loading,
    noImage,
    expired: common.time.expired,
    statuses: { pending, approved, rejected },
    integrity: admin.integrity,
    system: {
      title: system,
      text: health.text,
      overall: health.overall,
      status: health.status,
      checks: health.checks,
      lastChecked: health.lastChecked,
      checkNow: health.checkNow,
      loading: health.loading,
      loadFailed: health.loadFailed,
      checkNowFailed: health.checkNowFailed,
      notKept: health.notKept,
      never: health.never,
      neverText: health.neverText,
      stale: health.stale,
      time: health.time,
      history: health.history,
      historyNone: health.historyNone,
      historyHour: health.historyHour,
      historyFault: health.historyFault,
      historyFrom: health.historyFrom,
      historyTo: health.historyTo,
      networks: health.networks,
      rules,
      alarms,
      outages: health.outages,
      sender: health.sender,
    },
  };
}
export type DashboardWords = ReturnType<typeof dashboardWords>;
export type DashboardScreen = AdminScreen<DashboardWords>;
export type DashboardLinks = { slots: string; queue: string; pending: string; products: string };
