import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { colours } from '#kit/contract/palette.ts';
import { needsTls } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { readFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { PaperHead } from '#kit/server/paper/paper.ts';
import { localKeys } from '../contract/local-language.ts';
import { type AppConfiguration, schoolApi } from '../contract/school.ts';
import { icon } from './icon.ts';
import { findUnread } from './language-read.ts';
import { readLanguages, readLocalLanguage } from './languages.ts';
import { readSchoolWords } from './school-words.ts';

const appConfiguration: Handler<typeof schoolApi.appConfiguration> = (ctx) => readAppConfiguration(ctx);

const logo: Handler<typeof schoolApi.logo> = async (ctx) => {
  const school = await ctx.db.selectFrom('academic_school').select(['id', 'logo_id']).executeTakeFirst();
  if (!school?.logo_id) throw new AppError('not_found', notFoundMessage);
  return readFile(ctx, { table: 'academic_school', id: school.id }, school.logo_id);
};

export default routes(schoolApi, { appConfiguration, logo, icon });

/** What the pages show of the school; a school that is not set up yet still gets a usable page. */
export async function readAppConfiguration({ db, publicUrl, provider }: Services): Promise<AppConfiguration> {
  const school = await db
    .selectFrom('academic_school')
    .select(['name', 'city', 'phone', 'email', 'hours', 'hospital_text', 'colour', 'logo_id'])
    .executeTakeFirst();
  const { offered, usual } = await readLanguages({ db });
  const account = await db.selectFrom('sign_in_account').select('id').limit(1).executeTakeFirst();
  return {
    schoolName: school?.name ?? 'School',
    schoolCity: school?.city ?? '',
    schoolPhone: school?.phone ?? '',
    schoolEmail: school?.email ?? '',
    officeHours: school?.hours ?? '',
    hospitalText: school?.hospital_text ?? '',
    schoolColour: colours.find((colour) => colour === school?.colour) ?? 'Teal',
    logoPath: school?.logo_id ? '/api/app-configuration/logo' : null,
    needsTls: needsTls(publicUrl),
    signInProvider: provider?.name ?? '',
    hasNoAccount: account === undefined,
    languages: offered,
    usualLanguage: usual,
    unread: await findUnread({ db }),
    words: await readSchoolWords({ db }),
  };
}

/** The head of the school's papers as of now; a kept paper keeps its own. */
export async function readSchoolHead(ctx: Services): Promise<PaperHead> {
  const school = await ctx.db
    .selectFrom('academic_school')
    .select([
      'id',
      'name',
      'trust_name',
      'address',
      'name_local',
      'address_local',
      'city',
      'phone',
      'email',
      'website',
      'udise_code',
      'affiliation_no',
    ])
    .select(['principal', 'logo_id', 'signature_id'])
    .executeTakeFirst();
  if (!school) return { name: 'School', lines: [], principal: '' };
  const line = (parts: string[], between: string) => parts.filter((part) => part !== '').join(between);
  const linesWith = (address: string) =>
    [
      school.trust_name,
      address,
      line([school.phone, school.email, school.website], ' · '),
      line(
        [
          school.udise_code && `UDISE code ${school.udise_code}`,
          school.affiliation_no && `Affiliation ${school.affiliation_no}`,
        ],
        ' · ',
      ),
    ].filter((content) => content !== '');
  const address = line([school.address, school.address.includes(school.city) ? '' : school.city], ', ');
  const { name_local: name, address_local: local } = school;
  const owner = { table: 'academic_school', id: school.id };
  const picture = async (id: string | null) => (id ? (await readFile(ctx, owner, id)).bytes : undefined);
  const [logo, signature] = await Promise.all([picture(school.logo_id), picture(school.signature_id)]);
  return {
    ...{
      name: school.name,
      lines: linesWith(address),
      principal: school.principal,
      phone: school.phone,
      logo,
      signature,
    },
    ...((name !== '' || local !== '') && {
      local: {
        language: localKeys[await readLocalLanguage(ctx)],
        ...{ name, address: local, lines: linesWith(local || address) },
      },
    }),
  };
}
