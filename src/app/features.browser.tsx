import { academic } from '#features/academic/pages/feature.tsx';
import { account } from '#features/account/pages/feature.tsx';
import { admission } from '#features/admission/pages/feature.tsx';
import { announcement } from '#features/announcement/pages/feature.tsx';
import { approval } from '#features/approval/pages/feature.tsx';
import { attendance } from '#features/attendance/pages/feature.tsx';
import { auditLog } from '#features/audit/pages/feature.tsx';
import { bank } from '#features/bank/pages/feature.tsx';
import { family } from '#features/family/pages/feature.tsx';
import { feeMoney } from '#features/fee-money/pages/feature.tsx';
import { feePrice } from '#features/fee-price/pages/feature.tsx';
import { guide } from '#features/guide/pages/feature.tsx';
import { homework } from '#features/homework/pages/feature.tsx';
import { meeting } from '#features/meeting/pages/feature.tsx';
import { observation } from '#features/observation/pages/feature.tsx';
import { onlinePayment } from '#features/online-payment/pages/feature.tsx';
import { report } from '#features/report/pages/feature.tsx';
import { run } from '#features/run/pages/feature.tsx';
import { school } from '#features/school/pages/feature.tsx';
import { signIn } from '#features/sign-in/pages/feature.tsx';
import { skill } from '#features/skill/pages/feature.tsx';
import { staff } from '#features/staff/pages/feature.tsx';
import { student } from '#features/student/pages/feature.tsx';
import { subject } from '#features/subject/pages/feature.tsx';
import { system } from '#features/system/pages/feature.tsx';
import { tag } from '#features/tag/pages/feature.tsx';
import { teaching } from '#features/teaching/pages/feature.tsx';
import { ticket } from '#features/ticket/pages/feature.tsx';
import { transport } from '#features/transport/pages/feature.tsx';
import { workday } from '#features/workday/pages/feature.tsx';
import { yearEnd } from '#features/year-end/pages/feature.tsx';
import type { BrowserFeature } from '#kit/browser/feature.ts';
import type { Page } from '#kit/contract/page.ts';
import type { dashboardPage, ProductPage } from './menu.ts';
import type { AddressOf } from './shell/address.ts';

/** Every feature of the product that has pages; the parents' form has a router of its own. */
export const features = [
  admission,
  school,
  academic,
  teaching,
  student,
  subject,
  tag,
  skill,
  approval,
  feePrice,
  feeMoney,
  bank,
  onlinePayment,
  staff,
  workday,
  attendance,
  transport,
  family,
  ticket,
  report,
  homework,
  observation,
  announcement,
  meeting,
  yearEnd,
  auditLog,
  account,
  signIn,
  run,
  system,
  guide,
] as const satisfies readonly BrowserFeature<ProductPage>[];

type Linked<One> = One extends Page
  ? { path: AddressOf<One['path']>; search: One extends { search: infer Keys } ? Keys : readonly never[] }
  : never;

declare module '#kit/browser/ui/PageLink.tsx' {
  interface LinkedPages {
    shell: Linked<typeof dashboardPage | (typeof features)[number]['pages'][number]>;
  }
}
