import { text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { AuditRecord, AuditWords } from '#kit/server/security/audit-words.ts';

/** Every record of a form is named after its child. */
const ofChild = (kind: AuditRecord['kind']): AuditRecord => ({
  kind,
  findNames: async (db: Database, ids) => {
    const rows = await db
      .selectFrom('admission_inquiry')
      .where('id', 'in', ids)
      .select(['id', 'first_name', 'last_name'])
      .execute();
    return rows.map(({ id, first_name, last_name }) => ({
      id,
      name: [first_name, last_name].filter(Boolean).join(' '),
    }));
  },
});

export const auditWords: AuditWords = {
  actions: {
    'admission.inquiry.created': text`Created`,
    'admission.link.sent': text`Sent the form’s link`,
    'admission.link.offered': text`Asked for a new link, which replaces the old one when it is opened`,
    'admission.link.renewed': text`Sent a new link`,
    'admission.link.revoked': text`Revoked the link`,
    'admission.consent.given': text`Gave consent`,
    'admission.consent.withdrawn': text`Withdrew consent`,
    'admission.message.sent': text`Sent a message to the school`,
    'admission.sibling.code-sent': text`Asked for a code to fill in the family’s details`,
    'admission.sibling.details-used': text`Filled in the family’s details from a brother’s or sister’s form`,
    'admission.basic-info.saved': text`Saved page 1, Basic information`,
    'admission.parent-info.saved': text`Saved page 2, Parents`,
    'admission.father.absent': text`Said that there is no father to name`,
    'admission.father.named': text`Named the father after all`,
    'admission.mother.absent': text`Said that there is no mother to name`,
    'admission.mother.named': text`Named the mother after all`,
    'admission.health.saved': text`Saved page 3, Education and health`,
    'admission.additional-info.saved': text`Saved page 4, Contacts`,
    'admission.form.submitted': text`Submitted the form`,
    'admission.form.corrected': text`Submitted the correction`,
    'admission.form.printed': text`Printed the form`,
    'admission.document.added': text`Added a document`,
    'admission.document.removed': text`Removed a document`,
    'admission.education.added': text`Added a previous school`,
    'admission.education.removed': text`Removed a previous school`,
  },
  records: {
    admission_inquiry: ofChild(text`Inquiry`),
    admission_basic_info: ofChild(text`Admission form`),
    admission_parent_info: ofChild(text`Admission form`),
    admission_health: ofChild(text`Admission form`),
    admission_additional_info: ofChild(text`Admission form`),
    admission_document: ofChild(text`Admission form`),
    admission_education: ofChild(text`Admission form`),
  },
};
