import { globSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardPage, type ProductPage } from '../src/app/menu.ts';

const root = join(import.meta.dirname, '../src/features');

/**
 * The pages of all features, from their contracts alone, because the manifests load the whole server. pages.spec.ts
 * compares them with the manifests.
 */
const contracts: Record<string, unknown>[] = await Promise.all(
  globSync('*/contract{/pages,}.ts', { cwd: root })
    .sort()
    .map((file) => import(join(root, file))),
);
export const productPages = contracts.flatMap((contract) =>
  Object.entries(contract).flatMap(([name, value]) => (name.endsWith('Pages') ? (value as ProductPage[]) : [])),
);

/** The pages after sign-in, below /school-erp. */
export const shellPages: readonly ProductPage[] = [
  dashboardPage,
  ...productPages.filter(({ path }) => !path.startsWith('/')),
];
