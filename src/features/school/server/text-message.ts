import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import type { Language } from '#kit/contract/languages.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { isTranslated, patternOf, say } from '#kit/server/language/say.ts';
import { differenceFrom, keepsTo } from '#kit/server/messages/registered-text.ts';
import { saidIn, smsOf, toRegister } from '#kit/server/messages/text-message.ts';
import { notFound, requireRowVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readHistory } from '#kit/server/security/history.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { type TextMessageRow, textMessageApi, textMessageDraft } from '../contract/text-message.ts';

/** Each kind of text message, in the order of the features, with its registered text. */
async function readKinds(
  { db, textMessages, publicUrl }: Pick<Services, 'db' | 'textMessages' | 'publicUrl'>,
  language: Language = 'en',
): Promise<TextMessageRow[]> {
  const school = await db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirst();
  const sender = { name: school?.name ?? 'School', phone: school?.phone ?? '' };
  const saved = await db
    .selectFrom('sms_template')
    .where('language', '=', language)
    .select(['kind', 'id', 'template_id', 'registered_text', 'version'])
    .execute();
  const byKind = new Map(saved.map((row) => [row.kind, row]));
  return Object.entries(textMessages).flatMap(([kind, { when, example }]) => {
    const rendered = example(sender, publicUrl);
    if (!saidIn(rendered).every((one) => isTranslated(one, language))) return [];
    const row = byKind.get(kind);
    const registeredText = row?.registered_text ?? '';
    const difference =
      registeredText === '' ? undefined : differenceFrom(registeredText, smsOf(rendered, say(language)));
    const found: TextMessageRow = {
      kind,
      id: row?.id ?? null,
      when,
      ourText: toRegister(rendered, sender, language),
      registeredText,
      templateId: row?.template_id ?? '',
      status: registeredText === '' ? 'Not registered' : difference === undefined ? 'Agrees' : 'Differs',
      differsAt: difference ?? '',
      rowVersion: row?.version ?? null,
    };
    return found;
  });
}

const list: Handler<typeof textMessageApi.list> = async (ctx, { language }) => ({
  rows: await readKinds(ctx, language),
});

/** Our text in a language with the names of its values, where a registered text agrees with it; '' where it does not. */
async function patternFor(ctx: Services, kind: string, language: Language, registeredText: string): Promise<string> {
  const school = await ctx.db.selectFrom('academic_school').select(['name', 'phone']).executeTakeFirst();
  const rendered = ctx.textMessages[kind]?.example(school ?? { name: 'School', phone: '' }, ctx.publicUrl);
  if (!rendered || !keepsTo(registeredText, smsOf(rendered, say(language)))) return '';
  return saidIn(rendered)
    .map((one) => patternOf(one, language))
    .join('\n\n');
}

const save: Handler<typeof textMessageApi.save> = async (ctx, { kind, language, rowVersion, ...draft }) => {
  const { db } = ctx;
  if (!Object.hasOwn(ctx.textMessages, kind)) throw new AppError('not_found', notFoundMessage);
  // Creates the row, so that two first saves wait for each other.
  const before = await db
    .insertInto('sms_template')
    .values({ kind, language })
    .onConflict((conflict) => conflict.columns(['kind', 'language']).doUpdateSet({ kind }))
    .returning(['id', 'registered_text', 'template_id', 'version', 'updated_at', sql<boolean>`xmax = 0`.as('isNew')])
    .executeTakeFirstOrThrow();
  if (!before.isNew) requireRowVersion(before, rowVersion);
  const old = { registeredText: before.registered_text, templateId: before.template_id };
  const names = (['registeredText', 'templateId'] as const).filter((name) => old[name] !== draft[name]);
  if (names.length === 0) return { rowVersion: before.version };

  const { version } = await db
    .updateTable('sms_template')
    .set({ registered_text: draft.registeredText, template_id: draft.templateId })
    .set({ pattern: await patternFor(ctx, kind, language, draft.registeredText) })
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
  const rows = await readKinds(services);
  const count = (status: TextMessageRow['status']) => rows.filter((row) => row.status === status).length;
  const [unregistered, different] = [count('Not registered'), count('Differs')];
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
