import { studentKeepers } from '#access/contract/grants.ts';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import { namesOf, type Stored } from '#kit/contract/field.ts';
import type { UserContext } from '#kit/server/context.ts';
import { columnsOf, toRow, toWire } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { changedFields, changesOf } from '#kit/server/record/changes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { addressApi, addressFields, addressReaders, permanentAddressFields } from '../../contract/address.ts';
import { requireStudent } from '../visible.ts';

type Address = Stored<typeof addressFields>;

const texts = Object.fromEntries(namesOf(addressFields).map((name) => [name, ''])) as unknown as Address;
const none: Address = { ...texts, isSame: true };

async function findAddress({ db }: UserContext, id: number) {
  const row = await db
    .selectFrom('student_address')
    .where('student_id', '=', id)
    .select([...columnsOf(addressFields), 'version'])
    .executeTakeFirst();
  return { version: row?.version ?? 0, saved: row ? toWire(addressFields, row) : none };
}

const address: Handler<typeof addressApi.address> = async (ctx, { id }) => {
  await requireStudent(ctx, id, addressReaders);
  return findAddress(ctx, id);
};

const saveAddress: Handler<typeof addressApi.saveAddress> = async (ctx, { id, version, ...given }) => {
  await requireStudent(ctx, id, studentKeepers);
  // The student's row is there before an address is.
  await ctx.db.selectFrom('student').where('id', '=', id).select('id').forUpdate().execute();
  const before = await findAddress(ctx, id);
  if (before.version !== version) throw new AppError('stale', staleMessage, { data: before });
  const noPermanent = Object.fromEntries(namesOf(permanentAddressFields).map((name) => [name, '']));
  const entered = given.isSame ? { ...given, ...noPermanent } : given;
  if (version > 0 && changedFields(addressFields, before.saved, entered).length === 0) return {};
  const row = { ...toRow(addressFields, entered), version: version + 1 };
  await ctx.db
    .insertInto('student_address')
    .values({ student_id: id, ...row })
    .onConflict((conflict) => conflict.column('student_id').doUpdateSet(row))
    .execute();
  await audit(ctx, {
    action: 'student.address-changed',
    entity: 'student',
    entityId: id,
    version: version + 1,
    details: changesOf(addressFields, before.saved, entered),
  });
  return {};
};

export const addressRoutes = routes(addressApi, { address, saveAddress });
