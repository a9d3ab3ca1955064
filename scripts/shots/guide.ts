import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { GuideShot } from './camera.ts';
import type { DemoSchool } from './school.ts';

/** The folder of the school's guide, and that of its pictures. */
const guideFolder = join(import.meta.dirname, '../../docs/use');
const pictures = join(guideFolder, 'pictures');

/** Pixels across in the guide: what its text is wide on a desk, and a phone. */
const widths = { desk: 960, phone: 360 };

/** The pictures of the guide, by their names. `$studentID` and others are the records of the demo school. */
export const guideShots: readonly GuideShot[] = [
  { name: 'dashboard', role: 'Staff', path: 'dashboard' },
  { name: 'dashboard-teacher', role: 'Teacher', path: 'dashboard' },
  { name: 'academic-master', role: 'Admin', path: 'academic/academic-master?tab=section' },
  { name: 'accounts', role: 'Admin', path: 'sign-in/account' },
  { name: 'inquiries', role: 'Staff', path: 'admission/inquiry' },
  { name: 'form', path: 'form', size: 'phone' },
  { name: 'review', role: 'Staff', path: 'admission/review-list/$review' },
  { name: 'students', role: 'Admin', path: 'student/student-list' },
  { name: 'student', role: 'Staff', path: 'student/student-list/$studentID' },
  { name: 'certificates', role: 'Staff', path: 'student/certificate-list' },
  { name: 'register', role: 'Teacher', path: 'attendance/student-attendance' },
  { name: 'month', role: 'Staff', path: 'attendance/month-wise-attendance' },
  { name: 'homework', role: 'Teacher', path: 'homework/homework-list' },
  { name: 'observation', role: 'Teacher', path: 'student-observation/student-observation-list' },
  { name: 'prices', role: 'Staff', path: 'fee/fee-structure-allocation' },
  { name: 'counter', role: 'Staff', path: 'fee/student-wise-fees-structure?part=counter&student=$studentID' },
  { name: 'account', role: 'Staff', path: 'fee/student-wise-fees-structure/$studentID' },
  { name: 'route', role: 'Staff', path: 'transport/route/$routeID' },
  { name: 'announcements', role: 'Staff', path: 'announcement/announcement-list' },
  { name: 'family', path: 'family', size: 'phone' },
  { name: 'tickets', role: 'Staff', path: 'ticket/ticket-entry-assign-to-me' },
  { name: 'inbox', role: 'Staff', path: 'approval/inbox' },
  { name: 'promote', role: 'Admin', path: 'academic/section-student-mapping?tab=promote' },
  { name: 'system', role: 'Admin', path: 'system' },
];

/** The address of a picture's page in the demo school. */
export function addressOf(
  { path }: GuideShot,
  { forms, family }: Pick<DemoSchool, 'forms' | 'family'>,
  records: Readonly<Record<string, string>>,
): string {
  if (path === 'family') return family;
  if (path === 'form') return forms['half filled'] ?? '';
  const ids: Record<string, string | undefined> = {
    ...records,
    review: records['admission/review-list/$inquiryID'],
  };
  return `/school-erp/${path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? '1')}`;
}

/** Writes a picture of the guide, small enough for a repository: WebP in the width that the guide shows it. */
export async function keepGuidePicture({ name, size = 'desk' }: GuideShot, picture: Buffer): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const bytes = await sharp(picture).resize({ width: widths[size] }).webp({ quality: 72, effort: 6 }).toBuffer();
  writeFileSync(join(pictures, `${name}.webp`), bytes);
}
