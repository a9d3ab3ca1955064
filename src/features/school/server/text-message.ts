import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import type { Language } from '#kit/contract/languages.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { DataCorrection } from '#kit/server/job/corrections.ts';
import { isTranslated, patternOf, say } from '#kit/server/language/say.ts';
import { differenceFrom, keepsTo } from '#kit/server/messages/registered-text.ts';
import { inPattern, type Rendered, type Sender, saidIn, smsOf, toRegister } from '#kit/server/messages/text-message.ts';
import { notFound, requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { type TextMessageRow, textMessageApi, textMessageDraft } from '../contract/text-message.ts';
import { offeredLanguages } from './languages.ts';

async function readSender({ db }: Pick<Services, 'db'>): Promise<Sender> {
  const school = await db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirst();
  return school ?? { name: 'School', phone: '' };
}

/** Our text in a language with the names of its values. */
const patternIn = (rendered: Rendered, language: Language) =>
  saidIn(rendered)
    .map((one) => patternOf(one, language))
    .join('\n\n');

/** Each kind of text message, in the order of the features, with its registered text. */
async function readKinds(services: Services, language: Language = 'en'): Promise<TextMessageRow[]> {
  const { db, textMessages, publicUrl } = services;
  const sender = await readSender(services);
  const saved = await db
    .selectFrom('sms_template')
    .where('language', '=', language)
    .select(['kind', 'id', 'template_id', 'registered_text', 'pattern', 'version'])
    .execute();
  const byKind = new Map(saved.map((row) => [row.kind, row]));
  return Object.entries(textMessages).flatMap(([kind, { when, example }]) => {
    const rendered = example(sender, publicUrl);
    if (!saidIn(rendered).every((one) => isTranslated(one, language))) return [];
    const row = byKind.get(kind);
    const registeredText = row?.registered_text ?? '';
    const kept = row?.pattern ?? '';
    const registered = { templateId: row?.template_id ?? '', text: registeredText, pattern: kept };
    // What is sent: in the words that were registered, where they were kept.
    const words = inPattern(registered, rendered, rendered, language) ?? smsOf(rendered, say(language));
    const difference = registeredText === '' ? undefined : differenceFrom(registeredText, words);
    const found: TextMessageRow = {
      kind,
      id: row?.id ?? null,
      when,
      ourText: toRegister(rendered, sender, language),
      registeredText,
      templateId: row?.template_id ?? '',
      status: registeredText === '' ? 'Not registered' : difference === undefined ? 'Agrees' : 'Differs',
      differsAt: difference ?? '',
      hasChanged: kept !== '' && kept !== patternIn(rendered, language),
      rowVersion: row?.version ?? null,
    };
    return found;
  });
}

const list: Handler<typeof textMessageApi.list> = async (ctx, { language }) => ({
  rows: await readKinds(ctx, language),
});

interface Registered {
  kind: string;
  language: Language;
  registeredText: string;
}

/** The pattern to keep of a registered text that agrees with ours; '' of one that does not. */
function patternFor(
  { textMessages, publicUrl }: Services,
  sender: Sender,
  { kind, language, registeredText }: Registered,
): string {
  const rendered = textMessages[kind]?.example(sender, publicUrl);
  return rendered && keepsTo(registeredText, smsOf(rendered, say(language))) ? patternIn(rendered, language) : '';
}

/** Texts that were registered before their patterns were kept get them, where they agree with ours. */
export const fillPatterns: DataCorrection = {
  name: '202612011430_sms_template_pattern',
  correct: async (services) => {
    const sender = await readSender(services);
    const rows = await services.db
      .selectFrom('sms_template')
      .where('pattern', '=', '')
      .where('registered_text', '<>', '')
      .select(['id', 'kind', 'registered_text as registeredText'])
      .select(sql<Language>`language`.as('language'))
      .orderBy('id')
      .execute();
    const patterns = rows.map((row) => patternFor(services, sender, row));
    await sql`update sms_template set pattern = found.pattern
      from unnest(${rows.map(({ id }) => id)}::integer[], ${patterns}::text[]) as found (id, pattern)
      where sms_template.id = found.id and sms_template.pattern = ''`.execute(services.db);
  },
};

const save: Handler<typeof textMessageApi.save> = async (ctx, { kind, language, rowVersion, ...draft }) => {
  const { db } = ctx;
  if (!Object.hasOwn(ctx.textMessages, kind)) throw new AppError('not_found', notFoundMessage);
  // Creates the row, so that two first saves wait for each other.
  const before = await db
    .insertInto('sms_template')
    .values({ kind, language })
    .onConflict((conflict) => conflict.columns(['kind', 'language']).doUpdateSet({ kind }))
    .returning(['id', 'registered_text', 'template_id', 'pattern', 'version', 'updated_at'])
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  if (!before.isNew) requireRowVersion(before, rowVersion);
  const old = { registeredText: before.registered_text, templateId: before.template_id };
  const names = (['registeredText', 'templateId'] as const).filter((name) => old[name] !== draft[name]);
  // The words that were registered are kept, though ours have changed since.
  const isKept = before.pattern !== '' && old.registeredText === draft.registeredText;
  const registered = { kind, language, registeredText: draft.registeredText };
  const pattern = isKept ? before.pattern : patternFor(ctx, await readSender(ctx), registered);
  if (names.length === 0) {
    // Nothing that the user can see changes.
    if (!isKept) await db.updateTable('sms_template').set({ pattern }).where('id', '=', before.id).execute();
    return { rowVersion: before.version };
  }

  const { version } = await db
    .updateTable('sms_template')
    .set({ registered_text: draft.registeredText, template_id: draft.templateId })
    .set({ pattern })
    .set({ version: before.isNew ? 1 : sql`version + 1`, updated_at: sql`school_now()` })
    .where('id', '=', before.id)
    .returning('version')
    .executeTakeFirstOrThrow();
  const details = Object.fromEntries(
    names.map((name) => {
      const info = fieldInfo.get(textMessageDraft[name]);
      return [info ? english(info.label) : name, `${old[name] || '–'} → ${draft[name] || '–'}`];
    }),
  );
  await audit(ctx, {
    action: 'sms-template.changed',
    entity: 'sms_template',
    entityId: before.id,
    version,
    details,
  });
  return { rowVersion: version };
};

const history: Handler<typeof textMessageApi.history> = async (ctx, asked) => {
  await ctx.db.selectFrom('sms_template').where('id', '=', asked.id).select('id').executeTakeFirstOrThrow(notFound);
  return readHistory(ctx, 'sms_template', asked);
};

export default routes(textMessageApi, { list, history, save });

/** Warns of text messages that operators drop, where a gateway for them is configured. */
export const textMessageWarnings: FindWarnings = async (services) => {
  if (!services.sendsTexts) return [];
  const offered = await offeredLanguages(services);
  const [inEnglish = [], ...others] = await Promise.all(offered.map((language) => readKinds(services, language)));
  const withStatus = (rows: readonly TextMessageRow[], status: TextMessageRow['status']) =>
    rows.filter((row) => row.status === status);
  // In another language a kind that is not registered, or differs, is sent in English.
  const unregistered = withStatus(inEnglish, 'Not registered').length;
  const different = withStatus(inEnglish, 'Differs').length;
  const inOthers = withStatus(others.flat(), 'Differs').length;
  const to = '/school-erp/academic/organizational-master';
  return [
    ...(different > 0
      ? [
          {
            name: 'text-messages-differ',
            text: text(
              {
                message:
                  '{count, plural, one {# kind of text message differs from its registered template and is not sent.} other {# kinds of text message differ from their registered templates and are not sent.}} Correct them in Organizational Master, Text messages.',
              },
              { count: different },
            ),
            to,
          },
        ]
      : []),
    ...(inOthers > 0
      ? [
          {
            name: 'text-messages-other-language-differ',
            text: text(
              {
                message:
                  '{count, plural, one {# text message in another language differs from its registered template and is sent in English.} other {# text messages in other languages differ from their registered templates and are sent in English.}} Correct them in Organizational Master, Text messages.',
              },
              { count: inOthers },
            ),
            to,
          },
        ]
      : []),
    ...(unregistered > 0
      ? [
          {
            name: 'text-messages-unregistered',
            text: text(
              {
                message:
                  '{count, plural, one {# kind of text message has no registered template, so operators may drop it.} other {# kinds of text message have no registered template, so operators may drop them.}} Enter them in Organizational Master, Text messages.',
              },
              { count: unregistered },
            ),
            to,
          },
        ]
      : []),
  ];
};
