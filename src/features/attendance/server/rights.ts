import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { rightsOnDay } from '#features/teaching/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { registerAccess } from '../contract/register.ts';

/** In a query of `section`: which registers of a day the user may read, and which they may take. */
export interface RegisterRights {
  reads: RawBuilder<boolean>;
  takes: RawBuilder<boolean>;
  /** Led or taught by the user. */
  isOwn: RawBuilder<boolean>;
  isLed: RawBuilder<boolean>;
  /** Office and principal take a register after its lock too, and use every code. */
  isGranted: boolean;
}

const granted = ['office', 'principal'];

export async function registerRights(ctx: UserContext, day: string, today: string, subjectTeachersTake: boolean) {
  const { user } = ctx;
  const own = day === today ? user.scope : await rightsOnDay(ctx, day);
  const office = user.sets.filter((set) => granted.includes(set));
  const scopeOf = (led: readonly number[], taught: readonly number[]) => {
    const sets = [
      ...office,
      ...(led.length > 0 ? ['classTeacher'] : []),
      ...(taught.length > 0 ? ['subjectTeacher'] : []),
    ];
    const branch = sql`section.branch_id`;
    return inScope({ ...user, sets, scope: { ...user.scope, led, taught } }, registerAccess, {
      branch,
      section: sql`section.id`,
    });
  };
  const taught = day === today && subjectTeachersTake ? own.taught : [];
  return {
    // A new class teacher reads the earlier registers of the section.
    reads: scopeOf([...own.led, ...user.scope.led], [...own.taught, ...user.scope.taught]),
    takes: scopeOf(own.led, taught),
    isOwn: sql<boolean>`section.id = any(${[...own.led, ...taught]}::integer[])`,
    isLed: sql<boolean>`section.id = any(${own.led}::integer[])`,
    isGranted: office.length > 0,
  } satisfies RegisterRights;
}
