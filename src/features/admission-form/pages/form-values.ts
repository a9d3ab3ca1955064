import { currentLink } from '#kit/browser/data/link.ts';
import type { Values } from '#kit/browser/form/form-context.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';

/** The owner's fields of every save; the server checks them against the link. Nobody is signed in, so the user is 0. */
export const formIdentity = (inquiry: OpenInquiry, rowVersion: number | null): Values => ({
  admissionID: inquiry.admissionID,
  inquiryNo: inquiry.inquiryNo,
  inquiryNoMD5: currentLink(),
  rowVersion,
  createdBy: 0,
  updatedBy: 0,
});

/** Which of these fields the inquiry has a value for, so that a parent cannot change them. */
export const lockedOf = <Name extends keyof OpenInquiry>(inquiry: OpenInquiry, names: readonly Name[]) =>
  names.filter((name) => inquiry[name] !== null && inquiry[name] !== '');
