import { eq } from 'drizzle-orm';
import { adminSlots } from '../../api/slots/admin.ts';
import { schema } from '../../db/client.ts';
import type { Person } from './actors.ts';
import type { TestApp } from './app.ts';
import { auditLines, lastAudit } from './audit.ts';
import { rawRows } from './rows.ts';

const { slots } = schema;

export function slotActions(market: TestApp, { admin }: { admin: Person }) {
  const ofAdmin = () => market.ctx(admin);
  const rows = rawRows(market.sql);
  return {
    ofAdmin,
    inHours: (hours: number) => new Date(market.clock.now().getTime() + hours * 3_600_000),
    lastAudit: () => lastAudit(market),
    audits: (action: string) => auditLines(market, action),
    slotRow: async (id: number) =>
      (await market.db.select().from(slots).where(eq(slots.id, id)))[0],
    listed: async (id: number) => (await adminSlots(await ofAdmin()))[id - 1],
    async occupy(from: number, to: number) {
      for (let id = from; id <= to; id++) await rows.placed(id);
    },
  };
}
