import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const admissionPages = [
  {
    path: 'admission/inquiry',
    title: text`Inquiry`,
    reads: 'GET /inquiry',
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal'],
    search: ['tab', 'search', 'act'],
    acts: [
      {
        key: 'add',
        title: text`Add inquiry`,
        alsoNamed: text`new call visitor family`,
        isDaily: true,
        sets: ['office', 'admissionHead'],
      },
    ],
  },
  {
    path: 'admission/inquiry/$inquiryID',
    title: text`Inquiry`,
    reads: 'GET /inquiry/:id/record',
    isReadAhead: true,
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal'],
    search: ['part'],
  },
  {
    path: 'admission/review-list',
    title: text`Review List`,
    reads: 'GET /review',
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal'],
    search: ['tab', 'search'],
  },
  {
    path: 'admission/review-list/$inquiryID',
    title: text`Review`,
    reads: 'GET /review/:id/record',
    isReadAhead: true,
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal'],
  },
  {
    path: 'admission/confirm-admission',
    title: text`Create Account`,
    reads: 'GET /admission-account',
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal', 'accountant'],
    search: ['tab', 'search'],
  },
  {
    path: 'admission/confirm-admission/$inquiryID',
    title: text`Create Account`,
    reads: 'GET /admission-account/:id/record',
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal', 'accountant'],
  },
  {
    path: 'admission/process-admission',
    title: text`Process Admission`,
    reads: 'GET /process',
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal', 'accountant', 'assessor'],
    search: ['tab', 'search', 'show', 'day'],
  },
  {
    path: 'admission/process-admission/$inquiryID',
    title: text`Application`,
    reads: 'GET /process/:id/record',
    isReadAhead: true,
    roles: ['Staff'],
    sets: ['office', 'admissionHead', 'principal', 'accountant', 'assessor'],
    search: ['part'],
  },
] as const satisfies readonly Page[];
