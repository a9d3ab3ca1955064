import { expect, test } from 'vitest';
import { queuing } from '#testing/senders.ts';

/** The files that queue messages themselves, and to whom. Guardians are written to by `tellGuardians` of family alone. */
const others: Readonly<Record<string, string>> = {
  'account/server/account.ts': 'accounts',
  'account/server/invitation.ts': 'accounts',
  'account/server/own-contact.ts': 'accounts',
  'admission-form/api.ts': 'parents of an inquiry',
  'admission-form/server/consent.ts': 'the school',
  'admission-form/server/inquiry.ts': 'parents of an inquiry',
  'admission-form/server/link.ts': 'parents of an inquiry',
  'admission-form/server/sibling-details.ts': 'parents of an inquiry',
  'admission-form/server/submit.ts': 'parents of an inquiry',
  // A link by its guardian’s number, whose answer must cost the same for every number.
  'family/server/by-number.ts': 'guardians',
  // A code to a number that is not the guardian’s yet, and the word to the earlier one.
  'family/server/contact.ts': 'guardians',
  // A link that expired, whose answer must cost the same for every value.
  'family/server/family.ts': 'guardians',
  // A code, which is awaited, to the stored contact.
  'family/server/proof.ts': 'guardians',
  'family/server/tell.ts': 'guardians',
  // A test, to its author.
  'announcement/server/preview.ts': 'staff',
  'sign-in/server/contact-change.ts': 'accounts',
  'sign-in/server/own-password.ts': 'accounts',
  'sign-in/server/sign-in.ts': 'accounts',
  'sign-in/server/tell-admins.ts': 'accounts',
  'staff/server/due-notice.ts': 'staff',
  'ticket/server/notices.ts': 'staff',
};

test('messages to guardians are queued by tellGuardians alone', () => {
  const unknown = queuing.filter((path) => !(path in others));
  expect(
    unknown.map((path) => `${path} queues messages: write to guardians by tellGuardians of family/api.ts.`),
  ).toEqual([]);
  expect(Object.keys(others).filter((path) => !queuing.includes(path))).toEqual([]);
});
