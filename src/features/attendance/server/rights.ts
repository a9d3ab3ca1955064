import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { coversOn } from '#features/cover/api.ts';
import { rightsOnDay } from '#features/teaching/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { settingValue } from '#kit/server/settings.ts';
import { registerAccess } from '../contract/register.ts';
import { subjectTeachersTake } from './settings.ts';

/** In a query of `section`: which registers of a day the user may read, and which they may take. */
export interface RegisterRights {
  /** Whose months the user reads: not those of sections whose register is only taken for another teacher. */
  readsMonth: RawBuilder<boolean>;
  reads: RawBuilder<boolean>;
  takes: RawBuilder<boolean>;
  /** Led or taught by the user. */
  isOwn: RawBuilder<boolean>;
  isLed: RawBuilder<boolean>;
  /** Office and principal take a register after its lock too, and use every code. */
  isGranted: boolean;
}

const granted = ['office', 'principal'];

export async function registerRights(ctx: UserContext, day: string, today: string) {
  const { user } = ctx;
  const own = day === today ? user.scope : await rightsOnDay(ctx, day);
  // A substitute takes the register of the days on which they are given it, until it is locked.
  const covered = day === today ? user.scope.covered : await coversOn(ctx, day);
  const isCovered = sql<boolean>`section.id = any(${[...covered]}::integer[])`;
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
  // Subject teachers take the register of the day itself, where the setting lets them.
  const taught = day === today ? own.taught : [];
  const taughtTake = settingValue(subjectTeachersTake);
  const readsMonth = scopeOf([...own.led, ...user.scope.led], [...own.taught, ...user.scope.taught]);
  return {
    // A new class teacher reads the earlier registers of the section.
    readsMonth,
    reads: sql<boolean>`(${readsMonth} or ${isCovered})`,
    takes:
      taught.length === 0
        ? sql<boolean>`(${scopeOf(own.led, [])} or ${isCovered})`
        : sql<boolean>`(${scopeOf(own.led, [])} or ${isCovered} or ${taughtTake} and ${scopeOf([], taught)})`,
    isOwn: sql<boolean>`(section.id = any(${own.led}::integer[]) or ${isCovered} or section.id = any(${taught}::integer[]) and ${taughtTake})`,
    isLed: sql<boolean>`section.id = any(${own.led}::integer[])`,
    isGranted: office.length > 0,
  } satisfies RegisterRights;
}
