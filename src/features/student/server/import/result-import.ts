import { sql } from 'kysely';
import { restoreText } from '#kit/contract/csv.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { readCell } from '#kit/server/master/cells.ts';
import { audit } from '#kit/server/security/audit.ts';
import {
  type ResultDecision,
  resultFields,
  resultFile,
  resultImportApi,
  resultMessages,
} from '../../contract/result.ts';
import {
  type Decided,
  type LockedResult,
  lacksReason,
  lockResults,
  requireResultsOpen,
  selectResults,
  withReason,
  writeResults,
} from '../enrolment/result.ts';

interface Line extends ImportLine {
  row: LockedResult | undefined;
  decided: Decided;
}

const target: ImportTarget = {
  kind: resultImportApi.import.path,
  name: 'results',
  fields: resultFile,
  undo: { table: 'student_result' },
};

const importAll = async (ctx: UserContext, input: Omit<ParsedOf<typeof resultImportApi.import>, 'shown'>) => {
  const { yearId } = input;
  const table = namedRows(ctx.table());
  await requireResultsOpen(ctx, yearId);
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'student_result', fields: {} },
    lockTable: () => sql`lock table student_result in share row exclusive mode`.execute(ctx.db),
    compare: () => compareRows(ctx, yearId, table),
    write: async (lines) => {
      const rows = lines.flatMap(({ row, decided }) => (row ? [{ row, decided }] : []));
      const ids = await writeResults(ctx, rows, 'Import');
      for (const line of lines) if (line.row) line.id = ids.get(line.row.id) ?? 0;
    },
    audit: (_, { wrong: __, ...details }) =>
      audit(ctx, { action: 'result.imported', entity: 'academic_year', entityId: yearId, details }),
  });
};

const names = Object.keys(resultFields) as (keyof typeof resultFields)[];

async function compareRows(ctx: UserContext, yearId: number, table: TableRow[]): Promise<Line[]> {
  const numbers = table.map(({ cells }) => sameText(restoreText(cells.grNo ?? '')));
  const known = await selectResults(ctx, sql<number>`${yearId}::integer`)
    .where(sql<boolean>`lower(student.gr_no) = any(${numbers}::text[])`)
    .select('own.id')
    .execute();
  const found = await lockResults(
    ctx,
    yearId,
    known.map(({ id }) => id),
  );
  const byGrNo = Map.groupBy(found, ({ gr_no }) => sameText(gr_no));
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }): Line => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = {};
    for (const name of names) {
      const { value, problem } = readCell({ fields: resultFile }, name, cells[name] ?? '', {});
      typed[name] = value ?? '';
      if (problem) messages[name] = problem;
    }
    const grNo = sameText(restoreText(cells.grNo ?? ''));
    const [row, second] = byGrNo.get(grNo) ?? [];
    if (!row || second) messages.grNo = resultMessages.notFound;
    else if (!row.is_open) messages.decision ??= resultMessages.isDecided;
    const twice = seen.get(grNo);
    if (twice && row) messages.grNo ??= twiceMessage(twice);
    else seen.set(grNo, line);
    const read = {
      decision: typed.decision as ResultDecision,
      reason: String(typed.reason),
      // An empty cell changes nothing.
      conduct: String(typed.conduct) || (row?.conduct ?? ''),
      progress: String(typed.progress) || (row?.progress ?? ''),
    };
    const decided = row ? withReason(row, read) : read;
    if (lacksReason(decided) && !messages.decision) messages.reason ??= resultMessages.reason;
    const isWrong = Object.keys(messages).length > 0;
    const isSame = row !== undefined && names.every((name) => decided[name] === row[name]);
    return {
      line,
      displayName: row?.name ?? String(cells.grNo ?? '').slice(0, 120),
      status: isWrong ? 'wrong' : isSame ? 'same' : row?.result_id ? 'changed' : 'added',
      messages,
      before: row?.result_id ? { id: row.result_id, version: row.version ?? 1 } : undefined,
      row,
      decided,
    };
  });
}

export const resultImportRoutes = routes(resultImportApi, importHandlers(target, importAll));
