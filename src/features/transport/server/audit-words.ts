import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'transport-route.created': { verb: 'Created', words: text`Created` },
    'transport-route.changed': { verb: 'Changed', words: text`Changed` },
    'transport-route.planned': { verb: 'Created', words: text`Changed the stops of the route` },
    'transport-route.reversed': { verb: 'Reversed', words: text`Made from the other direction` },
    'transport-route.duty': { verb: 'Changed', words: text`Gave a trip its vehicle and crew` },
    'transport-route.vehicle': { verb: 'Changed', words: text`Changed the vehicle of all trips` },
    'transport-route.duty-ended': { verb: 'Ended', words: text`Ended the duty of a trip` },
    'transport-trip.stand-in': { verb: 'Changed', words: text`Gave a trip a stand-in` },
    'transport-trip.stand-in-undone': { verb: 'Reversed', words: text`Undid a stand-in` },
    'transport-trip.not-running': { verb: 'Changed', words: text`The trip does not run` },
    'transport-rider.other-bus': { verb: 'Changed', words: text`Rides on another bus` },
    'transport_route.exported': { verb: 'Exported', words: text`Exported` },
    'transport-slab-price.copied': { verb: 'Changed', words: text`Copied from another year` },
    'transport-rider.assigned': { verb: 'Assigned', words: text`Assigned a seat` },
    'transport-rider.freed': { verb: 'Decided', words: text`Made the seat free` },
    'transport-rider.stop-moved': { verb: 'Changed', words: text`Moved to another stop` },
    'transport-rider.ended': { verb: 'Ended', words: text`Ended the ride` },
    'transport_rider.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'transport-trip.manifest-printed': { verb: 'Printed', words: text`Printed the riders of a trip` },
    'transport-paper.attached': { verb: 'Created', words: text`Attached the file of a paper` },
    'transport-paper.viewed': { verb: 'Viewed', words: text`Viewed the file of a paper` },
    'stop-change.requested': { verb: 'Created', words: text`Requested a stop change` },
    'stop-change.approved': { verb: 'Decided', words: text`Approved the stop change` },
    'stop-change.rejected': { verb: 'Decided', words: text`Rejected the stop change` },
    'stop-change.withdrawn': { verb: 'Reversed', words: text`Withdrew the stop change` },
    'stop-change.cancelled': { verb: 'Reversed', words: text`Cancelled the stop change` },
    'transport_student_stop_change.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'transport_staff_stop_change.exported': { verb: 'Exported', words: text`Exported a list of names` },
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
