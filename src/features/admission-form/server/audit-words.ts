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
    'admission.inquiry.created': { verb: 'Created', words: text`Created` },
    'admission.link.sent': { verb: 'Sent', words: text`Sent the form’s link` },
    'admission.link.offered': {
      verb: 'Created',
      words: text`Asked for a new link, which replaces the old one when it is opened`,
    },
    'admission.link.renewed': { verb: 'Changed', words: text`Sent a new link` },
    'admission.link.revoked': { verb: 'Reversed', words: text`Revoked the link` },
    'admission.consent.given': { verb: 'Created', words: text`Gave consent` },
    'admission.consent.withdrawn': { verb: 'Reversed', words: text`Withdrew consent` },
    'admission.language.chosen': { verb: 'Changed', words: text`Chose the language of messages` },
    'admission.message.sent': { verb: 'Sent', words: text`Sent a message to the school` },
    'admission.sibling.code-sent': { verb: 'Sent', words: text`Asked for a code to fill in the family’s details` },
    'admission.sibling.details-used': {
      verb: 'Changed',
      words: text`Filled in the family’s details from a brother’s or sister’s form`,
    },
    'admission.basic-info.saved': { verb: 'Changed', words: text`Saved page 1, Basic information` },
    'admission.parent-info.saved': { verb: 'Changed', words: text`Saved page 2, Parents` },
    'admission.father.absent': { verb: 'Changed', words: text`Said that there is no father to name` },
    'admission.father.named': { verb: 'Created', words: text`Named the father after all` },
    'admission.mother.absent': { verb: 'Changed', words: text`Said that there is no mother to name` },
    'admission.mother.named': { verb: 'Created', words: text`Named the mother after all` },
    'admission.health.saved': { verb: 'Changed', words: text`Saved page 3, Education and health` },
    'admission.additional-info.saved': { verb: 'Changed', words: text`Saved page 4, Contacts` },
    'admission.form.submitted': { verb: 'Created', words: text`Submitted the form` },
    'admission.form.corrected': { verb: 'Changed', words: text`Submitted the correction` },
    'admission.form.printed': { verb: 'Printed', words: text`Printed the form` },
    'admission.document.added': { verb: 'Created', words: text`Added a document` },
    'admission.document.removed': { verb: 'Deleted', words: text`Removed a document` },
    'admission.education.added': { verb: 'Created', words: text`Added a previous school` },
    'admission.education.removed': { verb: 'Deleted', words: text`Removed a previous school` },
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
