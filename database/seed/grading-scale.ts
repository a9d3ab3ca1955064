import { bandsOf } from '#features/academic/contract/grading-scale.ts';
import type { Database } from '#kit/server/database/database.ts';

/** The lower end, grade and points of each band of CBSE's nine-point scale; its lowest has no points. */
const ninePoint = [
  [91, 'A1', 10],
  [81, 'A2', 9],
  [71, 'B1', 8],
  [61, 'B2', 7],
  [51, 'C1', 6],
  [41, 'C2', 5],
  [33, 'D', 4],
  [0, 'E', null],
] as const;

/** The scale that the school's reports are to go by. */
export const seedGradingScale = (database: Database) =>
  database.transaction().execute(async (db) => {
    const { id } = await db
      .insertInto('academic_grading_scale')
      .values({ name: 'CBSE nine-point scale' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const bands = bandsOf(ninePoint.map(([min, grade, points]) => ({ min, grade, points })));
    await db
      .insertInto('academic_grading_band')
      .values(
        bands.map(({ min, max, grade, points }) => ({
          scale_id: id,
          min_percent: min,
          max_percent: max,
          grade,
          points,
        })),
      )
      .execute();
  });
