import { YAML } from 'bun';
import { expect, test } from 'vitest';
import { alarmRules } from '../../api/alarms/rules.ts';
import { textOf } from '../support/repository.ts';
import { runbook } from '../support/runbook.ts';
import { servedMarket } from '../support/served.ts';

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };
const rules = (
  YAML.parse(textOf('deploy/prometheus/marche54.yml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const tests = YAML.parse(textOf('deploy/prometheus/marche54_test.yml')) as {
  tests: {
    input_series: { series: string }[];
    alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
  }[];
};
const dashboard = JSON.parse(textOf('deploy/grafana/marche54.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ from: title, expr })),
);

/** Metrics in an expression. */
const asked = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:marche54|process)_[a-z0-9_]+/g)].map(([name]) => name);
const market = await servedMarket({ env: { METRICS_TOKEN: 'a-token-that-only-the-operator-has' } });
const { body } = await market.get('/metrics', {
  authorization: 'Bearer a-token-that-only-the-operator-has',
});
const types = new Map(
  [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
);
/** A scrape has this name; `up` is Prometheus's own. */
const isThere = (name: string): boolean =>
  types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram';

test('every figure that an alert rule asks for is in /metrics', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.filter(({ expr }) => asked(expr).length === 0).map(({ alert }) => alert)).toEqual([
    'MarketAway',
  ]);
  expect(
    rules
      .flatMap(({ alert, expr }) => asked(expr).map((name) => ({ alert, name })))
      .filter(({ name }) => !isThere(name)),
  ).toEqual([]);
  expect(['marche54_nothing', 'marche54_slots_bucket'].filter(isThere)).toEqual([]);
});

test('every query of the dashboard asks for figures of /metrics', () => {
  expect(queries.length).toBeGreaterThan(20);
  expect(
    queries.filter(({ expr }) => asked(expr).length === 0 || !asked(expr).every(isThere)),
  ).toEqual([]);
});

test('each alert is tested for its trouble and for a market that is well, and leads to a section of the runbook', () => {
  const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  const held = tests.tests.flatMap((one) => one.alert_rule_test);
  for (const { alert, annotations } of rules) {
    const own = held
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length);
    expect([alert, own]).toEqual([alert, [1, 0]]);
    expect(anchors).toContain(annotations.runbook);
  }
  // Alarms of the market are also watched from outside, for when it cannot notify.
  const watched = new Set(rules.map(({ annotations }) => annotations.runbook));
  const alone = Object.values(alarmRules).filter(({ runbook }) => !watched.has(runbook));
  expect(alone.map(({ runbook }) => runbook)).toEqual(['somebody-collects-numbers']);
});
