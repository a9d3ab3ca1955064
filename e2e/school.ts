import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

const door = `http://127.0.0.1:${Number(process.env.E2E_PORT ?? 38470) + 1}`;

type State = 'untouched' | 'half filled' | 'ready to submit' | 'submitted' | 'expired' | 'revoked';

interface Wanted {
  state?: State;
  /** How many pages of a half filled form are saved. */
  pages?: number;
  /** What the school knows of the family; over a usual one. Null takes a value away. */
  inquiry?: Record<string, string | null>;
}

export interface Family {
  id: number;
  inquiryNo: string;
  /** The link's value. */
  value: string;
  /** The address of a page of this family's form. */
  at: (path: string) => string;
}

const usual = {
  firstName: 'Meera',
  lastName: 'Patel',
  gender: 'F',
  birthDate: '2020-03-12',
  fatherFirstName: 'Nikhil',
  fatherLastName: 'Patel',
  fatherMobile: '9825011111',
  fatherEmail: 'nikhil.patel@family.example',
  motherFirstName: 'Hetal',
  motherLastName: 'Patel',
  motherMobile: '9825022222',
  motherEmail: 'hetal.patel@family.example',
};

interface School {
  family: (wanted?: Wanted) => Promise<Family>;
  /** A statement as the database's owner, for what no page can do. */
  sql: (statement: string) => Promise<Record<string, unknown>[]>;
}

async function ask<Made>(path: string, body: object): Promise<Made> {
  const answer = await fetch(door + path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Made;
}

export const test = base.extend<{ school: School }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  school: async ({}, use) => {
    await use({
      family: async ({ state = 'untouched', pages, inquiry } = {}) => {
        const given = Object.entries({ ...usual, ...inquiry }).filter(([, value]) => value !== null);
        const made = await ask<Omit<Family, 'at'>>('/family', { state, pages, grade: 'Grade 1', inquiry: Object.fromEntries(given) });
        return { ...made, at: (path: string) => `${path}?inquiryNo=${made.value}` };
      },
      sql: (statement) => ask('/sql', { statement }),
    });
  },
});
export { expect };

/** No accessibility violation, WCAG 2.2 AA, on the page as it stands. */
export async function expectAccessible(page: Page) {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
}

export const saveAndNext = (page: Page) => page.getByRole('button', { name: 'Save and Next' }).click();

/** The box at the top that lists what is wrong. */
export const summary = (page: Page) => page.getByRole('alert', { name: 'There is a problem' });

/** Fills a text box, by the name of its field. */
export const fill = (page: Page, name: string, value: string) => page.locator(`[name="${name}"]`).fill(value);

/** Chooses among radios, by the name of their field. */
export const choose = (page: Page, name: string, value: string) =>
  page.locator(`[name="${name}"][value="${value}"]`).check();

/** Chooses a file for a field; a drawn picture unless other bytes are given. */
export const attach = (page: Page, name: string, file: { name: string; mimeType?: string; buffer: Buffer } = picture) =>
  page.locator(`input[name="${name}"]`).setInputFiles({ mimeType: 'image/png', ...file });

/** The smallest real PNG: one grey pixel. */
export const picture = {
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
};
