import { sql } from 'kysely';
import type { AcademicSchool } from '#database/types.ts';
import { AppError, fieldRefusal, notFoundMessage, staleMessage } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readFile, removeFile, saveFile } from '#kit/server/files/files.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { noPicture, profileApi, profileNames, settingNames } from '../contract/profile.ts';

/** The column of each field. */
const columns = {
  name: 'name',
  trustName: 'trust_name',
  udiseCode: 'udise_code',
  affiliationNo: 'affiliation_no',
  address: 'address',
  city: 'city',
  phone: 'phone',
  email: 'email',
  website: 'website',
  principal: 'principal',
  hours: 'hours',
  hospitalText: 'hospital_text',
  colour: 'colour',
  financialYearMonth: 'financial_year_month',
  linkDays: 'link_days',
  asksConsent: 'asks_consent',
  asksAdminCode: 'asks_admin_code',
} as const satisfies Record<string, keyof AcademicSchool>;
type Name = keyof typeof columns;

async function readSchool({ db }: Pick<UserContext, 'db'>, locks = false) {
  const query = db
    .selectFrom('academic_school')
    .select(['id', 'version', 'logo_id', 'signature_id', 'updated_at', ...Object.values(columns)]);
  const school = await (locks ? query.forUpdate() : query).executeTakeFirst();
  if (!school) throw new AppError('conflict', verbatim('This school is not set up yet. Restart the server.'));
  return school;
}

const valuesOf = (school: Awaited<ReturnType<typeof readSchool>>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, school[columns[name]]]));

async function read(ctx: UserContext, names: readonly Name[]) {
  const school = await readSchool(ctx);
  return { ...valuesOf(school, names), rowVersion: school.version };
}

/** Saves and audits the values that changed. */
async function save(ctx: UserContext, action: string, names: readonly Name[], values: Record<string, unknown>) {
  const school = await readSchool(ctx, true);
  if (school.version !== values.rowVersion)
    throw new AppError('stale', staleMessage, {
      data: { rowVersion: school.version, savedDateTime: school.updated_at.toISOString() },
    });
  const before = valuesOf(school, names);
  const changed = names.filter((name) => before[name] !== values[name]);
  if (changed.length === 0) return { rowVersion: school.version };
  const { version } = await ctx.db
    .updateTable('academic_school')
    .set(Object.fromEntries(changed.map((name) => [columns[name], values[name]])))
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .returning('version')
    .executeTakeFirstOrThrow();
  const details = Object.fromEntries(changed.map((name) => [name, `${before[name]} → ${values[name]}`]));
  await audit(ctx, { action, entity: 'academic_school', entityId: school.id, version, details });
  return { rowVersion: version };
}

const profile: Handler<typeof profileApi.profile> = (ctx) => read(ctx, profileNames);
const settings: Handler<typeof profileApi.settings> = (ctx) => read(ctx, settingNames);
const saveProfile: Handler<typeof profileApi.saveProfile> = (ctx, values) =>
  save(ctx, 'school.profile-changed', profileNames, values);
const saveSettings: Handler<typeof profileApi.saveSettings> = (ctx, values) =>
  save(ctx, 'school.settings-changed', settingNames, values);

/** The columns of the school's pictures, by upload field. */
const pictures = { logo: 'logo_id', signature: 'signature_id' } as const;

/** Replaces a picture; without an upload it is removed. */
async function keepPicture(ctx: UserContext, field: keyof typeof pictures, upload: CheckedUpload | undefined) {
  const school = await readSchool(ctx, true);
  const id = upload ? await saveFile(ctx, ownerOf(school), field, upload) : null;
  const column = pictures[field];
  await ctx.db
    .updateTable('academic_school')
    .set({ [column]: id, updated_at: sql`now()` })
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
  hasSignature: (await readSchool(ctx)).signature_id !== null,
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
  settings,
  saveProfile,
  saveSettings,
  saveLogo,
  paper,
  signature,
  saveSignature,
  removeSignature,
});
