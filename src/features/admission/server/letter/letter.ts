import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { openTemplate, type PaperData, type Signature } from '#kit/server/paper/paper.ts';
import { stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import {
  type LetterText,
  type LetterValues,
  letterApi,
  letterVariables,
  mostLetters,
  writeLetter,
} from '../../contract/letter.ts';
import type { DecisionKind } from '../../contract/process-list.ts';
import { applicationsSelected } from '../decision/process-list.ts';
import { isSeatReached } from '../seat/seat-read.ts';

/** A letter as it is kept from its release on. */
export interface FrozenLetter extends LetterValues, LetterText {
  kind: DecisionKind;
}

/** The words of the three letters, by kind. */
async function readLetterTexts({ db }: Pick<Context, 'db'>) {
  const rows = await db
    .selectFrom('admission_letter')
    .select(['kind', 'version', 'subject', 'body'])
    .orderBy(sql`array_position(array['Offer', 'Waitlist', 'Reject'], kind)`)
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as DecisionKind }));
}

/** Writes the letter about a decision with the present words of the school. */
export async function freezeLetter(
  ctx: Pick<Context, 'db'>,
  kind: DecisionKind,
  values: LetterValues,
): Promise<FrozenLetter> {
  const words = (await readLetterTexts(ctx)).find((own) => own.kind === kind) ?? { subject: '', body: '' };
  return { kind, ...values, ...writeLetter(words, values) };
}

const texts: Handler<typeof letterApi.texts> = (ctx) => readLetterTexts(ctx);

const saveText: Handler<typeof letterApi.saveText> = async (ctx, { kind, version, subject, body }) => {
  await ctx.db
    .updateTable('admission_letter')
    .set({ subject, body, version: version + 1 })
    .where('kind', '=', kind)
    .where('version', '=', version)
    .returning('kind')
    .executeTakeFirstOrThrow(stale);
  await audit(ctx, {
    action: 'admission.letter.changed',
    entity: 'admission_letter',
    entityId: 0,
    details: { Letter: kind, Subject: subject },
  });
  return {};
};

interface Letters extends PaperData {
  letters: { to: Text; on: string; subject: string; paragraphs: string[]; number: string }[];
  signatures: Signature[];
}
const template = openTemplate<Letters>(new URL('./letter.typ', import.meta.url));

/** The last released decision of each of these inquiries, in the order of their numbers. */
async function readReleased(ctx: Pick<Context, 'db'>, ids: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .innerJoin('admission_decision as decision', (join) =>
      join.on(
        'decision.id',
        '=',
        sql<number>`(select max(id) from admission_decision where inquiry_id = inquiry.id and released_at is not null)`,
      ),
    )
    .where('inquiry.id', '=', sql<number>`any(${ids}::integer[])`)
    .select(['inquiry.id', 'inquiry.inquiry_no', 'decision.released_at', 'decision.letter', 'decision.kind'])
    .select(
      sql<string>`coalesce(nullif(trim(concat_ws(' ', inquiry.first_name, inquiry.last_name)), ''), inquiry_no)`.as(
        'child',
      ),
    )
    .orderBy('inquiry.inquiry_no')
    .execute();
  const present = await readLetterTexts(ctx);
  return rows.map(({ letter, released_at, kind, ...row }) => {
    const kept = (letter ?? {}) as Partial<FrozenLetter>;
    // Decisions released before the school had letters keep their facts alone.
    const values = Object.fromEntries(letterVariables.map((name) => [name, kept[name] ?? ''])) as LetterValues;
    const words = present.find((own) => own.kind === kind) ?? { subject: '', body: '' };
    const { subject, body } =
      kept.subject && kept.body ? { subject: kept.subject, body: kept.body } : writeLetter(words, values);
    return {
      ...row,
      kind: kind as DecisionKind,
      subject,
      body,
      on: released_at ? toLocalDate(released_at) : '',
      ...values,
    };
  });
}

/** What a family reads of the last decision; undefined before the first one. */
export const readLetter = async (ctx: Pick<Context, 'db'>, id: number) => (await readReleased(ctx, [id]))[0];

type Released = Awaited<ReturnType<typeof readReleased>>;

export async function lettersFile(ctx: Context, released: Released) {
  const head = await ctx.readPaperHead(ctx);
  const principal: Signature = {
    who: head.principal ? text`Principal: ${{ name: head.principal }}` : text`Principal`,
    ...(head.signature && { picture: head.signature }),
  };
  const [first] = released;
  const bytes = await ctx.makePaper(
    template,
    {
      head,
      title: text`Admission letters`,
      letters: released.map(({ child, inquiry_no, subject, body, on }) => ({
        to: text`To the parents of ${{ child }}`,
        on: showDate(on),
        subject,
        paragraphs: body.split(/\n{2,}/),
        number: inquiry_no,
      })),
      signatures: [principal],
    },
    ctx.caller,
  );
  const name = released.length === 1 && first ? `letter-${first.inquiry_no}` : 'admission-letters';
  return { mediaType: 'application/pdf', name: `${name.replaceAll('/', '-')}.pdf`, bytes };
}

const print: Handler<typeof letterApi.print> = async (ctx, { id }) => {
  const reached = await ctx.db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', id)
    .where(isSeatReached(ctx.user, sql`inquiry.branch_id`))
    .select('id')
    .executeTakeFirst();
  const released = reached ? await readReleased(ctx, [id]) : [];
  if (released.length === 0) throw new AppError('not_found', notFoundMessage);
  const act = { action: 'admission.letter.printed', entity: 'admission_inquiry', entityId: id, names: 1 };
  return takeNames(ctx, act, () => lettersFile(ctx, released));
};

const printMany: Handler<typeof letterApi.printMany> = async (ctx, selection) => {
  const released = await readReleased(ctx, await applicationsSelected(ctx, selection));
  if (released.length === 0) throw new AppError('conflict', text`None of these has a released decision.`);
  if (released.length > mostLetters)
    throw new AppError('conflict', text`Print at most ${{ most: mostLetters }} letters at once. Select fewer.`);
  const act = {
    action: 'process.letters-printed',
    entity: 'process',
    entityId: 0,
    details: { rows: released.length },
    names: released.length,
  };
  return takeNames(ctx, act, () => lettersFile(ctx, released));
};

export default routes(letterApi, { texts, saveText, print, printMany });
