import * as z from 'zod/mini';
import { feeReaders, staff } from '#access/contract/grants.ts';
import { certificateLanguages, languageField } from '#features/student/contract/certificate.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { type Text, text } from '#kit/contract/text.ts';

/** The law by which what was paid counts, by the first year (April to March) it counts for; the school’s accountant checks these words. */
const laws: readonly [since: string, Text][] = [
  ['2026-27', text`section 123 read with Schedule XV of the Income-tax Act, 2025`],
  ['0000-01', text`section 80C of the Income-tax Act, 1961`],
];
export const lawOf = (year: string): Text =>
  (laws.find(([since]) => year >= since) ?? laws[laws.length - 1])?.[1] ?? text`the Income-tax Act`;

export const feeCertificateMessages = {
  nothing: text`Nothing that counts was paid in this year.`,
};

const makers = [staff('accountant', 'office')] as const;
const certificate = z.object({
  id: z.number(),
  certificateNo: z.string(),
  issuedOn: z.string(),
  amount: z.number(),
  isDuplicate: z.boolean(),
});

export const feeCertificateApi = {
  /** What was paid for a student in each year and receipt series that counts for the income tax, and what was certified. */
  list: endpoint({
    method: 'GET',
    path: '/fee/student/:id/certificate',
    access: feeReaders,
    opens: 'student',
    shows: ['fee-payment', 'fee-certificate'],
    input: z.object({ id }),
    output: z.object({
      years: z.array(
        z.object({
          year: z.string(),
          startsIn: z.number(),
          seriesId: z.number(),
          series: z.string(),
          /** What counts now, in paise. */
          amount: z.number(),
          /** Whether the last certificate says what counts now: another one is a duplicate. */
          isCertified: z.boolean(),
          issued: z.array(certificate),
        }),
      ),
      /** Proposed by the medium of the class. */
      language: z.enum(certificateLanguages),
      /** The languages in whose letters the register lacks the name. */
      inEnglishLetters: z.array(z.enum(certificateLanguages)),
    }),
  }),
  /** Certifies what was paid; a second one with the same rows says that it is a duplicate, other rows take its place. */
  make: endpoint({
    method: 'POST',
    path: '/fee/student/:id/certificate',
    access: makers,
    opens: 'student',
    changes: ['fee-certificate'],
    input: z.object({
      id,
      /** The calendar year in whose April it begins. */
      startsIn: z.number().check(z.int(), z.gte(1), z.lte(9999)),
      seriesId: id,
      language: languageField,
    }),
    output: certificate,
  }),
  file: endpoint({
    method: 'GET',
    path: '/fee/certificate/:id/file',
    access: feeReaders,
    opens: 'fee_certificate',
    input: z.object({ id }),
    output: servedFile,
  }),
};
