import { familyPart, showsBus } from '#features/family/api.ts';
import { familyRides } from '../contract/family.ts';
import { busOf } from './bus.ts';

/** The rides of the day. Where a child is at which minute is only for adults who may collect it. */
export const busPart = familyPart({
  key: 'transport',
  output: familyRides,
  isPrivate: true,
  setting: showsBus,
  read: async (ctx, { day, children }) => {
    const ids = children.map(({ studentId }) => studentId);
    const collecting = new Set(children.filter(({ mayCollect }) => mayCollect).map(({ studentId }) => studentId));
    return (await busOf(ctx, { studentIds: ids }, day)).map(({ studentId, pickup, drop }) => {
      const ways = [
        ...(pickup ? [{ trip: 'pickup' as const, ...pickup }] : []),
        ...(drop ? [{ trip: 'drop' as const, ...drop }] : []),
      ];
      const route = pickup?.route ?? drop?.route ?? '';
      return { studentId: studentId ?? 0, route, ways: collecting.has(studentId ?? 0) ? ways : [] };
    });
  },
});
