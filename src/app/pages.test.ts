import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PermissionSet, permissionSets, type Role, roles } from '#access/contract/grants.ts';
import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';
import { allFamilyParts, features } from './features.server.ts';
import { dashboardPage, menu } from './menu.ts';
import { listGroups, listMenu, listSearchedPages } from './pages.ts';

const built = features.flatMap(({ pages }) => pages);
const pathsOf = (pages: readonly { path: string }[]) => pages.map(({ path }) => path);
const menuPaths = (role: Role) => menu[role].flatMap(({ pages }): readonly string[] => pages);
const foundBy = (person: Parameters<typeof listSearchedPages>[1], pages = built) =>
  listSearchedPages(pages, person).flatMap(({ page, act }) => (act ? [] : [page.path]));

test('every page has one place among the manifests', () => {
  const paths = pathsOf([dashboardPage, ...built]);
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
});

test('a page that is not drawn yet is not titled as the sign-in page', () => {
  const html = readFileSync(join(import.meta.dirname, '../../browser.html'), 'utf8');
  expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe('School ERP System');
});

test('every part that a manifest adds to the page of a guardian’s link is drawn', () => {
  const files = globSync('*/ui/FamilyPart.tsx', { cwd: join(import.meta.dirname, '../features') });
  const drawn = files.map((file) => file.split('/')[0] ?? '');
  const keys = allFamilyParts.map(({ key }) => key);
  const undrawn = keys.filter((key) => !drawn.includes(key));
  expect(undrawn.map((key) => `features/${key}/ui/FamilyPart.tsx is missing. It exports familyPart.`)).toEqual([]);
  expect(drawn.toSorted()).toEqual(keys.toSorted());
});

test('a page that lies within others names pages of a menu, and is in none', () => {
  const inMenus = roles.flatMap(menuPaths);
  const inner = built.filter((page: Page) => page.within);
  expect(inner.flatMap((page: Page) => page.within ?? []).filter((path) => !inMenus.includes(path))).toEqual([]);
  expect(pathsOf(inner).filter((path) => inMenus.includes(path))).toEqual([]);
});

// As section 2 of the specification lists them: titles, order, links.
const specified = {
  Staff: {
    Dashboard: [['Dashboard', '']],
    Admission: [
      ['Inquiry', 'admission/inquiry'],
      ['Review List', 'admission/review-list'],
      ['Process Admission', 'admission/process-admission'],
      ['Create Account', 'admission/confirm-admission'],
    ],
    Fee: [
      ['Frequency of Payment', 'fee/frequency-of-payment'],
      ['Fee Master', 'fee/fee-master'],
      ['Fee Discount Master', 'fee/fee-discount-master'],
      ['Fee Structure Allocation', 'fee/fee-structure-allocation'],
      ['Student-Wise Fees Structure', 'fee/student-wise-fees-structure'],
    ],
    HRIS: [['Hris Master', 'hris/hris-master']],
    '360° View': [
      ['Student Report', 'report/student-report'],
      ['Staff Report', 'report/staff-report'],
    ],
    Attendance: [
      ['Student Attendance', 'attendance/student-attendance'],
      ['Month Wise Attendance', 'attendance/month-wise-attendance'],
      ['Daily Attendance', 'attendance/daily-attendance'],
    ],
    Transport: [
      ['Transport Master', 'transport/'],
      ['Time Slot', 'transport/time-slot'],
      ['Vehicle Master', 'transport/vehicle'],
      ['Route Master', 'transport/route'],
      ['Staff Stop Change', 'transport/staff-stop-change'],
      ['Student Stop Change', 'transport/student-stop-change'],
    ],
    Ticket: [
      ['Ticket Entry Assign By', 'ticket/ticket-entry-assign-by-me'],
      ['Ticket Entry Assign To Me', 'ticket/ticket-entry-assign-to-me'],
    ],
    Observation: [['Student Observation', 'student-observation/student-observation-list']],
    Homework: [['Homework', 'homework/homework-list']],
    Announcement: [['Announcement', 'announcement/announcement-list']],
  },
  Admin: {
    Dashboard: [['Dashboard', '']],
    'School Setup': [
      ['Academic Master', 'academic/academic-master'],
      ['Organizational Master', 'academic/organizational-master'],
      ['Section Teacher Mapping', 'academic/section-teacher-mapping'],
      ['Section Student Mapping', 'academic/section-student-mapping'],
    ],
    'Student Master': [['Student List', 'student/student-list']],
    'Staff Master': [['Staff List', 'staff/staff-list']],
    Ticket: [['Ticket Masters', 'ticket/ticket-master']],
    'Observation Master': [['Observation Master', 'observation/observation-master']],
    Observation: [['Staff Observation', 'staff-observation/staff-observation-list']],
    'Subject Master': [['Subject Master', 'configuration/subject']],
    Master: [
      ['Tag Master', 'configuration/tag-master'],
      ['Skill Master', 'configuration/skill-master'],
    ],
  },
} as const;

test.each(roles)('S132 the menu of %s has the specification’s groups, pages and links, in its order', (role) => {
  const groups = listGroups(built, role).map(({ title, pages }) => [
    title.id,
    pages.map((page) => [page.title.id, page.path]),
  ]);
  expect(groups).toEqual(Object.entries(specified[role]));
});

test.each(roles)('the menu that %s see has every page of the specification', (role) => {
  const shown = listMenu(built, { role, sets: permissionSets }).flatMap(({ pages }) => pathsOf(pages));
  expect(shown).toEqual(menuPaths(role));
});

test('R.2 a page of the menu is shown to those who have one of its permission sets', () => {
  const office = { path: 'admission/inquiry', title: text`Inquiry`, sets: ['office'] };
  const groupsOf = (sets: readonly PermissionSet[]) =>
    listMenu([office], { role: 'Staff', sets }).map(({ title }) => title.id);
  expect(groupsOf(['office'])).toEqual(['Dashboard', 'Admission']);
  expect(groupsOf(['nurse'])).toEqual(['Dashboard']);
});

test('search offers an Admin the pages of their menu first, then others such as the audit log', () => {
  const found = foundBy({ role: 'Admin', sets: [] });
  const inMenu = menuPaths('Admin');
  expect(found.slice(0, inMenu.length)).toEqual(inMenu);
  expect(found.slice(inMenu.length)).toEqual(expect.arrayContaining(['sign-in/account', 'audit']));
});

test('search finds the tabs of a page by their own titles', () => {
  const found = listSearchedPages(built, { role: 'Admin', sets: [] });
  const titles = found.flatMap(({ page, tab }) => (tab ? [[tab.title.id, page.path, tab.key]] : []));
  expect(titles).toContainEqual(['Grades', 'academic/academic-master', 'grade']);
  expect(titles).toContainEqual(['Calendar', 'academic/academic-master', 'calendar']);
  const tabsFor = (sets: PermissionSet[]) =>
    listSearchedPages(built, { role: 'Staff', sets }).flatMap(({ page, tab }) => (tab ? [page.path] : []));
  expect(tabsFor([])).toEqual([]);
  expect(new Set(tabsFor(['hr']))).toEqual(new Set(['hris/hris-master']));
});

test('search offers Staff no page of an Admin but the lists of students, staff and lesson observations, which some of them read', () => {
  const ofAdmin = ['sign-in/account', 'audit', ...menuPaths('Admin').filter((path) => path !== '')];
  const found = (sets: readonly PermissionSet[]) =>
    foundBy({ role: 'Staff', sets }).filter((path) => ofAdmin.includes(path));
  const observations = 'staff-observation/staff-observation-list';
  expect(found(permissionSets)).toEqual(['student/student-list', 'staff/staff-list', observations]);
  expect(found(['hr'])).toEqual(['staff/staff-list']);
  expect(found(['nurse'])).toEqual(['student/student-list']);
  expect(found(['financeApprover', 'ticketAgent', 'assessor', 'admissionHead'])).toEqual([]);
  expect(found(['headOfDepartment'])).toEqual([observations]);
});

test('search offers a page outside the menu to the people who may open it', () => {
  const club = { path: 'club/club-list', title: text`Clubs`, roles: ['Staff'], sets: ['office', 'hr'] };
  expect(foundBy({ role: 'Staff', sets: ['hr'] }, [club])).toContain(club.path);
  expect(foundBy({ role: 'Staff', sets: ['nurse'] }, [club])).not.toContain(club.path);
  expect(foundBy({ role: 'Admin', sets: [] }, [club])).not.toContain(club.path);
});

test('search offers no page before signing in and none with a part of its address left open', () => {
  const pages = [
    { path: '/login', title: text`Sign In` },
    { path: 'club/club-list/$id', title: text`Club` },
  ];
  const found = foundBy({ role: 'Admin', sets: [] }, pages);
  expect(found.filter((path) => pages.some((page) => page.path === path))).toEqual([]);
});

test('search offers an act of a page only to users who may do it', () => {
  const actsOf = (person: Parameters<typeof listSearchedPages>[1]) =>
    listSearchedPages(built, person).flatMap(({ page, act }) => (act ? [`${page.path} ${act.key}`] : []));
  expect(actsOf({ role: 'Staff', sets: ['office'] })).toContain('student/student-list add');
  expect(actsOf({ role: 'Admin', sets: [] })).toContain('student/student-list import');
  expect(actsOf({ role: 'Staff', sets: ['classTeacher'] })).not.toContain('student/student-list add');
  const receive = 'fee/student-wise-fees-structure receive';
  expect(actsOf({ role: 'Staff', sets: ['accountant'] })).toContain(receive);
  expect(actsOf({ role: 'Staff', sets: ['office'] })).not.toContain(receive);
});
