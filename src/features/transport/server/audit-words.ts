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
    'transport-slab-price.copied': text`Copied from another year`,
    'transport-rider.assigned': text`Assigned a seat`,
    'transport-rider.ended': text`Ended the ride`,
    'transport_rider.exported': text`Exported a list of names`,
    'transport-trip.manifest-printed': text`Printed the riders of a trip`,
    'transport-paper.attached': text`Attached the file of a paper`,
    'transport-paper.viewed': text`Viewed the file of a paper`,
    'stop-change.requested': text`Requested a stop change`,
    'stop-change.approved': text`Approved the stop change`,
    'stop-change.rejected': text`Rejected the stop change`,
    'stop-change.withdrawn': text`Withdrew the stop change`,
    'stop-change.cancelled': text`Cancelled the stop change`,
    'transport_student_stop_change.exported': text`Exported a list of names`,
    'transport_staff_stop_change.exported': text`Exported a list of names`,
  },
  records: {
    transport_assignment: { kind: text`Ride` },
    transport_trip: { kind: text`Trip` },
    transport_rider: { kind: text`Riders` },
    transport_student_stop_change: { kind: text`Stop changes` },
    transport_staff_stop_change: { kind: text`Stop changes` },
    transport_stop_change: {
      kind: text`Stop change`,
      findNames: (db, ids) =>
        db.selectFrom('transport_stop_change').where('id', 'in', ids).select(['id', 'request_no as name']).execute(),
    },
    transport_route: {
      kind: text`Route`,
      findNames: (db, ids) => db.selectFrom('transport_route').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
