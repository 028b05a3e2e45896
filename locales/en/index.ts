import account from './account.json';
import alarms from './admin/alarms.json';
import analytics from './admin/analytics.json';
import audit from './admin/audit.json';
import auth from './admin/auth.json';
import check from './admin/check.json';
import cleanup from './admin/cleanup.json';
import connectPosts from './admin/connect.json';
import credits from './admin/credits.json';
import dashboard from './admin/dashboard.json';
import fees from './admin/fees.json';
import gate from './admin/gate.json';
import health from './admin/health.json';
import integrity from './admin/integrity.json';
import meanwhile from './admin/meanwhile.json';
import menu from './admin/menu.json';
import meta from './admin/meta.json';
import pending from './admin/pending.json';
import queue from './admin/queue.json';
import reports from './admin/reports.json';
import settings from './admin/settings.json';
import slots from './admin/slots.json';
import users from './admin/users.json';
import alerts from './alerts.json';
import bot from './bot.json';
import common from './common.json';
import connect from './connect.json';
import errors from './errors.json';
import favourites from './favourites.json';
import home from './home.json';
import legal from './legal.json';
import mail from './mail.json';
import members from './members.json';
import offline from './offline.json';
import push from './push.json';
import search from './search.json';
import seller from './seller.json';
import shop from './shop.json';
import shops from './shops.json';
import validation from './validation.json';

/** Every sentence in English. Its keys are what every other language is typed by. */
export default {
  account,
  admin: {
    meta,
    gate,
    auth,
    menu,
    meanwhile,
    dashboard,
    integrity,
    health,
    alarms,
    check,
    pending,
    slots,
    queue,
    users,
    cleanup,
    analytics,
    settings,
    fees,
    reports,
    audit,
    connect: connectPosts,
    credits,
  },
  alerts,
  bot,
  common,
  connect,
  errors,
  favourites,
  home,
  legal,
  mail,
  members,
  offline,
  push,
  search,
  seller,
  shop,
  shops,
  validation,
};
