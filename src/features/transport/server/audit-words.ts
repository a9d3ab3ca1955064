import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'transport-route.created': text`Created`,
    'transport-route.changed': text`Changed`,
    'transport-route.planned': text`Changed the stops of the route`,
    'transport-route.reversed': text`Made from the other direction`,
    'transport-route.duty': text`Gave a trip its vehicle and crew`,
    'transport-route.vehicle': text`Changed the vehicle of all trips`,
    'transport-route.duty-ended': text`Ended the duty of a trip`,
    'transport_route.exported': text`Exported`,
  },
  records: {
    transport_route: {
      kind: text`Route`,
      findNames: (db, ids) => db.selectFrom('transport_route').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
