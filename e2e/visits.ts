import type { Page } from '@playwright/test';
import { grantedSets } from '../src/access/contract/grants.ts';
import { test as base, type Person, school } from './school.ts';

type Role = 'Admin' | 'Staff';

/** A person with every right, signed in, and their window. */
interface Visitor {
  page: Page;
  person: Person;
}

interface ForWorker {
  visitorOf: (role: Role) => Promise<Visitor>;
}

interface ForTest {
  /**
   * The window of a role, the same for all tests of a worker: its browser has the scripts already. A test opens its page
   * by an address, which leaves nothing of the page before; a failed test ends its worker.
   */
  enterAs: (role: Role) => Promise<Visitor>;
}

export const test = base.extend<ForTest, ForWorker>({
  visitorOf: [
    async ({ browser }, use) => {
      const visitors = new Map<Role, Visitor>();
      await use(async (role) => {
        const known = visitors.get(role);
        if (known) return known;
        const person = await school.person({ isAdmin: true, isStaff: true, sets: grantedSets });
        const visitor = { person, page: await browser.newPage() };
        visitors.set(role, visitor);
        await school.enter(visitor.page, person, { role, path: '/login' });
        return visitor;
      });
      for (const { page } of visitors.values()) await page.close();
    },
    { scope: 'worker' },
  ],
  enterAs: async ({ visitorOf }, use) => {
    const entered: Visitor[] = [];
    await use(async (role) => {
      const visitor = await visitorOf(role);
      entered.push(visitor);
      await visitor.page.setViewportSize({ width: 1280, height: 800 });
      return visitor;
    });
    for (const { page } of entered)
      for (const event of ['request', 'requestfinished', 'requestfailed', 'response'] as const)
        page.removeAllListeners(event);
  },
});
