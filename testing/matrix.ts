import type { PermissionSet } from '#features/sign-in/contract/access.ts';
import { allMasters } from '../src/app/masters.ts';

/** Who may call what, by hand and apart from the contracts, so that a slip in one of them is noticed (security.md B). */
interface Row {
  anyone?: true;
  linkHolder?: true;
  /** All Staff, or those with one of these sets. */
  staff?: 'all' | readonly PermissionSet[];
  admin?: true;
}

const anyone: Row = { anyone: true, linkHolder: true, staff: 'all', admin: true };
const linkHolder: Row = { linkHolder: true };
const signedIn: Row = { staff: 'all', admin: true };
const onlyAdmin: Row = { admin: true };

/** Every operation of every master is an Admin's; which masters there are is the product's to say. */
const masterOperations = allMasters.flatMap(({ path, isOrdered }) => [
  ...[`GET ${path}`, `GET ${path}/option`, `GET ${path}/export`, `GET ${path}/:id/history`],
  ...[`POST ${path}`, `PUT ${path}/:id`, `DELETE ${path}/:id`, `POST ${path}/import`],
  ...(isOrdered ? [`POST ${path}/:id/move`] : []),
]);

export const matrix: Record<string, Row> = {
  'GET /app-configuration': anyone,
  'GET /app-configuration/logo': anyone,
  'GET /academic/board-list': signedIn,
  'GET /academic/year-list': signedIn,
  'GET /configuration/grade-subject': onlyAdmin,
  'PUT /configuration/grade-subject': onlyAdmin,
  'POST /configuration/grade-subject/copy': onlyAdmin,
  'GET /academic/school': onlyAdmin,
  'PUT /academic/school': onlyAdmin,
  'POST /academic/school/logo': onlyAdmin,
  'GET /academic/school/settings': onlyAdmin,
  'PUT /academic/school/settings': onlyAdmin,
  'GET /academic/checklist': onlyAdmin,
  'GET /academic/number-series': onlyAdmin,
  'GET /academic/number-series/:id/history': onlyAdmin,
  'PUT /academic/number-series/:id': onlyAdmin,
  'POST /academic/year/:id/make-current': onlyAdmin,
  'POST /academic/year/:id/roll-over': onlyAdmin,
  'POST /academic/year/:id/discard': onlyAdmin,
  'GET /academic/section-teacher': onlyAdmin,
  'GET /academic/section-teacher/gap': onlyAdmin,
  'GET /academic/section-teacher/load': onlyAdmin,
  'POST /academic/section-teacher': onlyAdmin,
  'PUT /academic/section-teacher/:id': onlyAdmin,
  'POST /academic/section-teacher/:id/replace': onlyAdmin,
  'DELETE /academic/section-teacher/:id': onlyAdmin,
  'POST /academic/section-teacher/copy': onlyAdmin,
  'GET /academic/section-teacher/export': onlyAdmin,
  'GET /academic/section-student': onlyAdmin,
  'GET /academic/section-student/student': onlyAdmin,
  'POST /academic/section-student': onlyAdmin,
  'POST /academic/section-student/spread': onlyAdmin,
  'POST /academic/section-student/:id/roll-number': onlyAdmin,
  'PUT /academic/section-student/:id/roll-number': onlyAdmin,
  'POST /academic/section-student/:id/roll-lock': onlyAdmin,
  'GET /academic/section-student/promotion': onlyAdmin,
  'POST /academic/section-student/promotion': onlyAdmin,
  'GET /academic/section-student/export': onlyAdmin,
  'GET /academic/calendar': onlyAdmin,
  'GET /academic/calendar/:id/history': onlyAdmin,
  'PUT /academic/calendar/weekly-off': onlyAdmin,
  'PUT /academic/calendar/day': onlyAdmin,
  'DELETE /academic/calendar/day': onlyAdmin,
  'POST /academic/calendar/import': onlyAdmin,
  'GET /academic/grading-scale': onlyAdmin,
  'POST /academic/grading-scale': onlyAdmin,
  'GET /academic/grading-scale/:id/history': onlyAdmin,
  'PUT /academic/grading-scale/:id': onlyAdmin,
  'DELETE /academic/grading-scale/:id': onlyAdmin,
  ...Object.fromEntries(masterOperations.map((operation) => [operation, onlyAdmin])),

  'POST /admission/new-link': anyone,
  'GET /admission/inquiry': linkHolder,
  'GET /admission/basic-info': linkHolder,
  'GET /admission/basic-info/:admissionID': linkHolder,
  'POST /admission/basic-info': linkHolder,
  'GET /admission/parent-info': linkHolder,
  'POST /admission/parent-info': linkHolder,
  'GET /admission/careers': linkHolder,
  'GET /admission/careers/:careerID/specialties': linkHolder,
  'GET /admission/siblings': linkHolder,
  'POST /admission/siblings': linkHolder,
  'GET /admission/education-history': linkHolder,
  'POST /admission/education-history': linkHolder,
  'DELETE /admission/education-history/:id': linkHolder,
  'GET /admission/health': linkHolder,
  'POST /admission/health': linkHolder,
  'GET /admission/additional-info': linkHolder,
  'POST /admission/additional-info': linkHolder,
  'GET /admission/language': linkHolder,
  'POST /admission/language': linkHolder,
  'GET /admission/documents': linkHolder,
  'POST /admission/documents': linkHolder,
  'DELETE /admission/documents/:id': linkHolder,
  'GET /admission/files/:id': linkHolder,
  'GET /admission/draft/:page': linkHolder,
  'PUT /admission/draft/:page': linkHolder,
  'GET /admission/consent': linkHolder,
  'POST /admission/consent': linkHolder,
  'POST /admission/consent/withdraw': linkHolder,
  'POST /admission/message-to-school': linkHolder,
  'POST /admission/send-link': linkHolder,

  'POST /sign-in/authenticate-user': anyone,
  'POST /sign-in/google': anyone,
  'POST /sign-in/verify-otp': anyone,
  'POST /sign-in/sign-out': anyone,
  'GET /sign-in/me': signedIn,
  'POST /sign-in/reset-link': anyone,
  'POST /sign-in/reset-password': anyone,
  'POST /sign-in/request': anyone,
  'POST /sign-in/password': onlyAdmin,
  'POST /sign-in/confirm': onlyAdmin,
  'POST /sign-in/contact/email-code': signedIn,
  'POST /sign-in/contact/mobile-code': signedIn,
  'POST /sign-in/contact': signedIn,
  'GET /sign-in/session': signedIn,
  'DELETE /sign-in/session/:number': signedIn,
  'DELETE /sign-in/session': signedIn,

  'GET /account': onlyAdmin,
  'PUT /account/:id': onlyAdmin,
  'POST /account/:id/end-sessions': onlyAdmin,
  'GET /account/:id/session': onlyAdmin,
  'DELETE /account/:id/session/:number': onlyAdmin,
  'GET /account-request': onlyAdmin,
  'POST /account-request/:id/approve': onlyAdmin,
  'POST /account-request/:id/decline': onlyAdmin,

  'GET /audit': onlyAdmin,
  'GET /audit/export': onlyAdmin,
  'POST /audit/verify': onlyAdmin,

  'GET /staff/option': onlyAdmin,
  'GET /staff/:userID/profile': signedIn,
  'POST /staff/picture': signedIn,
  'GET /staff/picture/:id': signedIn,
};
