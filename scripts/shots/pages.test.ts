import { expect, test } from 'vitest';
import { features } from '../../src/app/features.server.ts';
import { formPaths } from '../../src/features/admission-form/contract/pages.ts';
import { listShots } from './pages.ts';

const states = ['half filled', 'consent needed', 'ready to submit', 'submitted'];
const forms = Object.fromEntries(
  states.map((state) => [state, `http://localhost/admission?inquiryNo=${state.length}`]),
);
const records = {
  userID: '1',
  inquiryID: '1',
  studentID: '1',
  guardianID: '1',
  structureID: '1',
  routeID: '1',
  homeworkID: '1',
  noteID: '1',
  visitID: '1',
  rubricID: '1',
  announcementID: '1',
  meetingID: '1',
  ticketID: '1',
};
const shots = listShots({ forms }, records);
const paths = shots.map(({ address }) => new URL(address, 'http://localhost').pathname);

test('every page of the manifests and of the form is photographed, each under a name of its own', () => {
  const pages = features
    .flatMap(({ pages }) => pages)
    .map(({ path }) => (path.startsWith('/') ? path : `/school-erp/${path.replace(/\$\w+/g, '1')}`));
  expect([...pages, ...formPaths].filter((path) => !paths.includes(path))).toEqual([]);
  const names = shots.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a page whose record nobody has chosen stops the pictures', () => {
  expect(() => listShots({ forms }, { inquiryID: '1', studentID: '1', guardianID: '1' })).toThrow(
    'what userID of staff/view-staff/$userID is',
  );
});
