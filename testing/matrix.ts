import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { Master } from '#kit/contract/master.ts';
import type { ServerFeature } from '#kit/server/feature.ts';
import { allMasters } from '../src/app/features.server.ts';
import { masterRows, onlyAdmin, type Rows, type Work } from './callers.ts';

const folder = join(import.meta.dirname, '../src/features');

interface Matrix {
  rows: Rows;
  work?: Work;
  opensNothing?: readonly string[];
}
const readMatrix = async (feature: string): Promise<Matrix> => {
  const file = join(folder, feature, 'matrix.ts');
  return existsSync(file) ? await import(file) : { rows: {} };
};
const readRows = async (feature: string): Promise<Rows> => (await readMatrix(feature)).rows;

/** What each permission set is for in a feature. */
export const workOf = async (feature: string): Promise<Work> => (await readMatrix(feature)).work ?? {};

/** The masters that a feature's server manifest names. */
async function readMasters(feature: string): Promise<readonly Master[]> {
  const file = ['server/feature.ts', 'server.ts'].map((name) => join(folder, feature, name)).find(existsSync);
  if (!file) return [];
  const exported: Record<string, Partial<ServerFeature>> = await import(file);
  return Object.values(exported).flatMap(({ masters }) => masters ?? []);
}

const features = globSync('*/matrix.ts', { cwd: folder }).map((file) => file.split('/')[0] ?? '');

/** Who may call what: every feature's rows, and those of all masters, which are the Admins' unless the feature says otherwise. */
export const matrix: Rows = Object.assign(
  {},
  masterRows(allMasters, onlyAdmin),
  ...(await Promise.all(features.map(readRows))),
);

/** Operations with an id that count no opening of a person's record: those of the features, and the histories of masters. */
export const opensNothing: ReadonlySet<string> = new Set([
  ...allMasters.map(({ path }) => `GET ${path}/:id/history`),
  ...(await Promise.all(features.map(readMatrix))).flatMap(({ opensNothing = [] }) => opensNothing),
]);

/** The rows of features, named with commas between them, with those of their masters. */
export const matrixOf = async (features: string): Promise<Rows> => {
  const parts = features
    .split(',')
    .flatMap(async (feature) => [masterRows(await readMasters(feature), onlyAdmin), await readRows(feature)]);
  return Object.assign({}, ...(await Promise.all(parts)).flat());
};
