import { sql } from 'kysely';
import type { AcademicSchool } from '#database/types.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { requireRowVersion, stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { noPicture, profileApi, profileNames } from '../contract/profile.ts';

/** The column of each field. */
const columns = {
  name: 'name',
  nameLocal: 'name_local',
  trustName: 'trust_name',
  udiseCode: 'udise_code',
  affiliationNo: 'affiliation_no',
  address: 'address',
  addressLocal: 'address_local',
  city: 'city',
  phone: 'phone',
  email: 'email',
  website: 'website',
  principal: 'principal',
  hours: 'hours',
  hospitalText: 'hospital_text',
  colour: 'colour',
  financialYearMonth: 'financial_year_month',
} as const satisfies Record<(typeof profileNames)[number], keyof AcademicSchool>;

const findSchool = ({ db }: Pick<UserContext, 'db'>, locks = false) => {
  const query = db
    .selectFrom('academic_school')
    .select(['id', 'version', 'logo_id', 'signature_id', 'updated_at', ...Object.values(columns)]);
  return (locks ? query.forUpdate() : query).executeTakeFirst();
};

async function readSchool(ctx: Pick<UserContext, 'db'>, locks = false) {
  const school = await findSchool(ctx, locks);
  if (!school) throw new AppError('conflict', text`Save the school’s profile first.`);
  return school;
}

const valuesOf = (school: Awaited<ReturnType<typeof readSchool>>) =>
  Object.fromEntries(profileNames.map((name) => [name, school[columns[name]]]));

const profile: Handler<typeof profileApi.profile> = async (ctx) => {
  const school = await findSchool(ctx);
  return school ? { ...valuesOf(school), rowVersion: school.version } : emptyProfile;
};

/** What the form of an empty server starts with. */
const emptyProfile = {
  ...Object.fromEntries(profileNames.map((name) => [name, ''])),
  colour: 'Teal',
  financialYearMonth: 4,
  rowVersion: 1,
};

/** Receipts keep the first month of the financial year. */
const rules = { table: 'academic_school', fields: {}, otherRulesAt: 'financialYearMonth' };

/** Saves and audits the values that changed; the first save adds the school. */
const saveProfile: Handler<typeof profileApi.saveProfile> = async (ctx, values) => {
  if (await addSchool(ctx, values)) return { rowVersion: 1 };
  const school = await readSchool(ctx, true);
  requireRowVersion(school, values.rowVersion);
  const before = valuesOf(school);
  const changed = profileNames.filter((name) => before[name] !== values[name]);
  if (changed.length === 0) return { rowVersion: school.version };
  const { version } = await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .updateTable('academic_school')
      .set(Object.fromEntries(changed.map((name) => [columns[name], values[name]])))
      .set({ version: sql`version + 1`, updated_at: sql`school_now()` })
      .returning('version')
      .executeTakeFirstOrThrow(),
  );
  const details = Object.fromEntries(changed.map((name) => [name, `${before[name]} → ${values[name]}`]));
  const act = { action: 'school.profile-changed', entity: 'academic_school', entityId: school.id };
  await audit(ctx, { ...act, version, details });
  return { rowVersion: version };
};

/** Adds the school of an empty server. Of two first saves at once the second one is stale. */
async function addSchool(ctx: UserContext, values: Parameters<typeof saveProfile>[1]): Promise<boolean> {
  const { db } = ctx;
  if (await db.selectFrom('academic_school').select('id').executeTakeFirst()) return false;
  const { name, city, phone, email, hours, hospitalText } = values;
  const needed = { name, city, phone, email, hours, hospital_text: hospitalText };
  const further = Object.fromEntries(profileNames.map((field) => [columns[field], values[field]]));
  const added = await db
    .insertInto('academic_school')
    .values({ ...further, ...needed })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirstOrThrow(stale);
  const details = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => field in columns && value !== ''),
  );
  const act = { action: 'school.profile-changed', entity: 'academic_school', entityId: added.id };
  await audit(ctx, { ...act, version: 1, details: mapValues(details) });
  return true;
}
const mapValues = (details: object) =>
  Object.fromEntries(Object.entries(details).map(([field, value]) => [field, String(value)]));

/** The columns of the school's pictures, by upload field. */
const pictures = { logo: 'logo_id', signature: 'signature_id' } as const;

/** Replaces a picture; without an upload it is removed. */
async function keepPicture(ctx: UserContext, field: keyof typeof pictures, upload: CheckedUpload | undefined) {
  const school = await readSchool(ctx, true);
  const id = upload ? await saveFile(ctx, ownerOf(school), field, upload) : null;
  const column = pictures[field];
  await ctx.db
    .updateTable('academic_school')
    .set({ [column]: id, updated_at: sql`school_now()` })
    .execute();
  await removeFile(ctx, school[column]);
  const action = `school.${field}-${upload ? 'changed' : 'removed'}`;
  await audit(ctx, { action, entity: 'academic_school', entityId: school.id });
  return {};
}
const ownerOf = ({ id }: { id: number }) => ({ table: 'academic_school', id });

const saveLogo: Handler<typeof profileApi.saveLogo> = (ctx) => {
  const { logo } = ctx.uploads;
  if (!logo) throw fieldRefusal('logo', noPicture);
  return keepPicture(ctx, 'logo', logo);
};

const paper: Handler<typeof profileApi.paper> = async (ctx) => ({
  hasSignature: Boolean((await findSchool(ctx))?.signature_id),
});

const signature: Handler<typeof profileApi.signature> = async (ctx) => {
  const school = await readSchool(ctx);
  if (!school.signature_id) throw new AppError('not_found', notFoundMessage);
  return readFile(ctx, ownerOf(school), school.signature_id);
};

const saveSignature: Handler<typeof profileApi.saveSignature> = (ctx) => {
  const { signature } = ctx.uploads;
  if (!signature) throw fieldRefusal('signature', noPicture);
  return keepPicture(ctx, 'signature', signature);
};

const removeSignature: Handler<typeof profileApi.removeSignature> = (ctx) => keepPicture(ctx, 'signature', undefined);

export default routes(profileApi, {
  profile,
  saveProfile,
  saveLogo,
  paper,
  signature,
  saveSignature,
  removeSignature,
});
