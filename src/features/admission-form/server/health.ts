import { healthQuestions } from '#features/student/contract/health-questions.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { LinkContext } from '#kit/server/context.ts';
import { removeFile, saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { formKeys } from '../contract/form.ts';
import { type Health, healthApi, healthDraft, vaccinationCardRequired } from '../contract/health.ts';
import { answer, checkOwner, done, isClosed, nextVersion, openForChange, pageSaved, submittedAnswer } from './form.ts';

const list = 'lstStudentAdmissionChildHealthDetailsModel';
const page = 3;

const get: Handler<typeof healthApi.get> = async (ctx, input) => {
  checkOwner(ctx, input);
  if (isClosed(ctx, page)) return submittedAnswer(ctx, list);
  return readHealth(ctx);
};

const save: Handler<typeof healthApi.save> = async (ctx, input) => {
  await openForChange(ctx, input, page);
  const stored = await findHealth(ctx);
  const version = await nextVersion(ctx, 'admission_health', stored, input.rowVersion);

  const card = ctx.uploads.VaccinationFileIFormFile;
  const field = 'VaccinationFileIFormFile';
  if (input.isVaccinated && !card && !stored?.vaccination_card_id) {
    throw new AppError('invalid', vaccinationCardRequired, { fields: { [field]: vaccinationCardRequired } });
  }
  const owner = { table: 'admission_inquiry', id: ctx.inquiry.id };
  const kept = card ? await saveFile(ctx, owner, field, card) : (stored?.vaccination_card_id ?? null);
  const cardId = input.isVaccinated ? kept : null;

  const row = {
    answers: seal(ctx.keys.data, place(ctx), JSON.stringify(answersOf(input))),
    vaccination_card_id: cardId,
    version,
    updated_at: ctx.now(),
  };
  const saved = await ctx.db
    .insertInto('admission_health')
    .values({ inquiry_id: ctx.inquiry.id, ...row })
    .onConflict((conflict) => conflict.column('inquiry_id').doUpdateSet(row))
    .returning(columns)
    .executeTakeFirstOrThrow();
  if (kept !== cardId) await removeFile(ctx, kept);
  if (stored?.vaccination_card_id !== kept) await removeFile(ctx, stored?.vaccination_card_id);
  await pageSaved(ctx, 'admission_health', version);
  return done(answerWith(ctx, saved), text`Saved.`);
};

export default routes(healthApi, { get, save });

/** The saved page 3 of the link holder, opened, as the wire has it. */
export async function readHealth(ctx: LinkContext) {
  const stored = await findHealth(ctx);
  return stored ? answerWith(ctx, stored) : answer(list, [] as Health[]);
}

function answerWith(ctx: LinkContext, stored: Stored) {
  const row: Health = {
    ...JSON.parse(open(ctx.keys.data, place(ctx), stored.answers).toString()),
    // The specification names the stored card twice; both fields are sent (A24).
    vaccinationCardFilePath: stored.vaccination_card_id,
    vaccinationFilePath: stored.vaccination_card_id,
    studentAdmissionChildHealthDetailsID: ctx.inquiry.id,
    admissionID: ctx.inquiry.id,
    inquiryNo: ctx.inquiry.number,
    createdBy: 0,
    updatedBy: 0,
    createdDateTime: stored.created_at.toISOString(),
    updatedDateTime: stored.updated_at.toISOString(),
  };
  return answer(list, [row], stored.version);
}

const place = ({ inquiry }: LinkContext) => `admission_health.answers:${inquiry.id}`;

const columns = ['answers', 'vaccination_card_id', 'version', 'created_at', 'updated_at'] as const;

const findHealth = ({ db, inquiry }: LinkContext) =>
  db.selectFrom('admission_health').where('inquiry_id', '=', inquiry.id).select(columns).executeTakeFirst();

type Draft = Parameters<typeof save>[1];
type Stored = NonNullable<Awaited<ReturnType<typeof findHealth>>>;

const answerFields = Object.keys(healthDraft.shape).filter((name) => !(name in formKeys)) as (keyof Draft)[];

/** The answers to store; the boxes of a question answered No are dropped. */
function answersOf(draft: Draft) {
  const answers: Record<string, unknown> = Object.fromEntries(answerFields.map((name) => [name, draft[name]]));
  for (const { name, opens } of healthQuestions) {
    for (const box of draft[name] ? [] : opens) answers[box.name] = '';
  }
  return answers;
}
