import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'admission-account.exported': text`Exported applications`,
    'admission.account.created': text`Created the account`,
    'inquiry.exported': text`Exported inquiries`,
    'inquiry.imported': text`Imported inquiries`,
    'admission.inquiry.checked': text`Was shown inquiries of a family`,
    'admission.inquiry.changed': text`Changed the inquiry`,
    'admission.inquiry.assigned': text`Assigned the inquiry`,
    'admission.inquiry.followed-up': text`Logged a follow-up`,
    'admission.sibling.linked': text`Linked a brother or sister`,
    'admission.sibling.unlinked': text`Ended the link to a brother or sister`,
    'admission.inquiry.lost': text`Marked as lost`,
    'admission.inquiry.reopened': text`Reopened`,
    'review.exported': text`Exported the review list`,
    'admission.inquiry.rejected': text`Rejected`,
    'admission.inquiry.withdrawn': text`Marked as withdrawn`,
    'admission.inquiry.verified': text`Marked as verified`,
    'admission.review.started': text`Started the review`,
    'admission.review.assigned': text`Assigned the review`,
    'admission.section.accepted': text`Accepted a section`,
    'admission.section.questioned': text`Marked a section for correction`,
    'admission.section.unquestioned': text`Removed a remark`,
    'admission.document.verified': text`Verified a document`,
    'admission.document.rejected': text`Rejected a document`,
    'admission.verdict.undone': text`Undid a verdict`,
    'admission.correction.requested': text`Asked the family for a correction`,
    'admission.waiver.given': text`Waived`,
    'admission.waiver.ended': text`Ended a waiver`,
    'admission.note.added': text`Wrote an internal note`,
    'admission.message.read': text`Read a message of the family`,
    'admission.message.replied': text`Replied to a message of the family`,
    'admission.aadhaar.revealed': text`Saw the whole Aadhaar number`,
    'admission.form.viewed': text`Read the form`,
    'admission.file.viewed': text`Opened a file of the form`,
    'admission.link.reminded': text`Reminded the family`,
    'admission.link.copied': text`Copied the form’s link`,
    'process.exported': text`Exported applications`,
    'admission.seat.planned': text`Planned seats`,
    'admission.seat.changed': text`Changed the seats`,
    'admission.seat.removed': text`Removed the seats`,
    'admission.decision.held': text`Decided, and held the decision`,
    'admission.decision.undone': text`Undid the held decision`,
    'admission.decision.released': text`Released the decision`,
    'admission.waiting-list.ranked': text`Changed the order of the waiting list`,
    'admission.application.moved': text`Moved to another seat row`,
    'admission.offer.extended': text`Gave more days to answer`,
    'admission.offer.accepted': text`The family accepted the seat`,
    'admission.offer.expired': text`The offer ended`,
    'admission.interaction.planned': text`Planned an interaction`,
    'admission.interaction.attended': text`Recorded the attendance of an interaction`,
    'admission.interaction.cancelled': text`Cancelled the interaction`,
    'admission.outcome.written': text`Wrote the outcome of an interaction`,
    'admission.interaction.waived': text`Offers without an interaction`,
    'admission.fee.recorded': text`Recorded the admission fee`,
    'admission.fee.reversed': text`Reversed the admission fee`,
    'admission.link.extended': text`Extended the form’s link`,
    'admission.correction.reminded': text`Reminded the family of the correction`,
  },
  records: {
    admission_seat: {
      kind: text`Seats`,
      findNames: async (db, ids) => {
        const { rows } = await sql<{ id: number; name: string }>`
          select seat.id, concat_ws(', ', year.name, grade.name, seat.quota) as name from admission_seat seat
          join academic_year year on year.id = seat.academic_year_id
          join academic_grade grade on grade.id = seat.grade_id where seat.id = any(${[...ids]}::integer[])`.execute(
          db,
        );
        return rows;
      },
    },
    process: { kind: text`Process Admission`, findNames: async () => [] },
    'admission-account': { kind: text`List of accounts`, findNames: async () => [] },
    review: { kind: text`Review list`, findNames: async () => [] },
    inquiry: { kind: text`Inquiry list`, findNames: async () => [] },
  },
};
