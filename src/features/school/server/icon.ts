import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { readFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { openQueue } from '#kit/server/work/queue.ts';
import type { schoolApi } from '../contract/school.ts';

const megabyte = 1024 * 1024;
const draw = openPool({
  program: new URL('../../../kit/server/work/icon-work.ts', import.meta.url),
  queue: openQueue(1, 20, 'icon'),
  seconds: 5,
  memory: 300 * megabyte,
  result: megabyte,
  jobs: 50,
  isNative: true,
  broken: uploadMessages.damaged,
  tooLarge: uploadMessages.hugePicture,
});

/** The last one drawn, with the logo it was drawn from: every phone that installs the page asks for it. */
let drawn: { from: string; bytes: Buffer } | undefined;

export const icon: Handler<typeof schoolApi.icon> = async (ctx) => {
  const school = await ctx.db.selectFrom('academic_school').select(['id', 'logo_id']).executeTakeFirst();
  const from = school?.logo_id ?? '';
  if (drawn?.from !== from) {
    const logo = async () =>
      school?.logo_id
        ? Buffer.from((await readFile(ctx, { table: 'academic_school', id: school.id }, school.logo_id)).bytes)
        : Buffer.alloc(0);
    const made = await draw(logo, ctx.caller);
    if (!('bytes' in made)) throw new AppError('not_found', notFoundMessage);
    drawn = { from, bytes: made.bytes };
  }
  return { mediaType: 'image/png', name: 'icon.png', bytes: drawn.bytes };
};
