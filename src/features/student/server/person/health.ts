import { AppError, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { auditReveal } from '#kit/server/security/reveal.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import {
  type HealthAnswers,
  healthApi,
  healthCardReaders,
  healthFields,
  healthKeepers,
  healthReaders,
} from '../../contract/health.ts';
import { healthQuestions } from '../../contract/health-questions.ts';
import { isSeen, requireStudent, studentsSeen } from '../visible.ts';

export const healthPlace = (id: number) => `student_health.answers:${id}`;

const findHealth = ({ db }: UserContext, id: number) =>
  db.selectFrom('student_health').where('student_id', '=', id).select(['answers', 'version']).executeTakeFirst();

const health: Handler<typeof healthApi.health> = async (ctx, { id }) => {
  const seen = await studentsSeen(ctx, healthCardReaders)
    .where('student.id', '=', id)
    .select([isSeen(ctx.user, healthReaders).as('reads'), isSeen(ctx.user, healthKeepers).as('keeps')])
    .executeTakeFirstOrThrow(notFound);
  const version = (await findHealth(ctx, id))?.version ?? 0;
  return {
    version,
    may: { reveal: seen.reads && version > 0, save: seen.keeps && (version === 0 || seen.reads) },
  };
};

const saveHealth: Handler<typeof healthApi.saveHealth> = async (ctx, { id, version, ...entered }) => {
  await requireStudent(ctx, id, healthKeepers);
  await ctx.db.selectFrom('student').where('id', '=', id).select('id').forUpdate().execute();
  const before = await findHealth(ctx, id);
  // Without the saved answers, which are shown only with a reason.
  if ((before?.version ?? 0) !== version) throw new AppError('stale', staleMessage);
  // Who may not read the answers would replace what they never saw.
  if (before) await requireStudent(ctx, id, healthReaders);
  const row = { answers: seal(ctx.keys.data, healthPlace(id), JSON.stringify(asked(entered))), version: version + 1 };
  await ctx.db
    .insertInto('student_health')
    .values({ student_id: id, ...row })
    .onConflict((conflict) => conflict.column('student_id').doUpdateSet(row))
    .execute();
  await audit(ctx, { action: 'student.health-saved', entity: 'student', entityId: id, version: version + 1 });
  return {};
};

/** The answers to store; the boxes of a question answered No are dropped. */
function asked(entered: HealthAnswers): HealthAnswers {
  const kept: Record<string, unknown> = { ...entered };
  for (const { name, opens } of healthQuestions) for (const box of entered[name] ? [] : opens) kept[box.name] = '';
  return kept as HealthAnswers;
}

const revealHealth: Handler<typeof healthApi.revealHealth> = async (ctx, { id, reason }) => {
  await requireStudent(ctx, id, healthReaders);
  const found = await findHealth(ctx, id);
  if (!found) throw new AppError('not_found', notFoundMessage);
  await auditReveal(ctx, { action: 'student.health-revealed', entity: 'student', entityId: id, reason });
  const saved = JSON.parse(open(ctx.keys.data, healthPlace(id), found.answers).toString());
  const empty = Object.fromEntries(
    Object.entries(healthFields).map(([name, { kind }]) => [name, kind === 'yesNo' ? false : '']),
  );
  return { version: found.version, answers: { ...empty, ...saved } as HealthAnswers };
};

export const healthRoutes = routes(healthApi, { health, saveHealth, revealHealth });
