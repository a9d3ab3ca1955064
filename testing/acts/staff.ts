import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { create } from '#testing/masters.ts';
import { form, photo } from '#testing/school.ts';
import {
  type Acts,
  admin,
  handsIn,
  importing,
  job,
  listView,
  newestOf,
  nextNumber,
  post,
  removal,
  work,
} from './act.ts';

/** The acts of the staff register. */
export const staffActs: Acts = {
  'POST /staff/:id/picture': [
    ['staff.picture-saved'],
    async (school) => {
      const person = await school.person();
      const url = `/api/staff/${person.staffId}/picture`;
      const send = async (over: object = {}) =>
        person.send({ method: 'POST', url, body: form({ ...over }, { picture: await photo() }) });
      await send();
      return { browser: person, send };
    },
  ],
  'DELETE /staff/:id/picture': [
    ['staff.picture-removed'],
    async (school) => {
      const person = await school.person();
      const url = `/api/staff/${person.staffId}/picture`;
      await person.send({ method: 'POST', url, body: form({}, { picture: await photo() }) });
      return { browser: person, send: (body) => person.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'POST /staff/:id/qualification': [
    ['staff.qualification-added'],
    async (school) => {
      const { browser, staffId } = await admin(school);
      return post(browser, `staff/${staffId}/qualification`, { qualificationId: 1 });
    },
  ],
  'DELETE /staff/:id/qualification/:qualification': [
    ['staff.qualification-removed'],
    async (school) => {
      const { browser, staffId } = await admin(school);
      await post(browser, `staff/${staffId}/qualification`, { qualificationId: 1 }).send();
      return removal(browser, `staff/${staffId}/qualification/${await newestOf(school, 'staff_qualification')}`);
    },
  ],
  'POST /staff/:id/experience': [
    ['staff.experience-added'],
    async (school) => {
      const { browser, staffId } = await admin(school);
      return post(browser, `staff/${staffId}/experience`, job);
    },
  ],
  'DELETE /staff/:id/experience/:experience': [
    ['staff.experience-removed'],
    async (school) => {
      const { browser, staffId } = await admin(school);
      await post(browser, `staff/${staffId}/experience`, job).send();
      return removal(browser, `staff/${staffId}/experience/${await newestOf(school, 'staff_experience')}`);
    },
  ],
  'POST /staff/:id/document': [['staff.document-handed-in'], async (school) => handsIn(school, await school.person())],
  'POST /staff/:id/document/:document/decide': [
    ['staff.document-verified'],
    async (school) => {
      const [{ browser }, person] = [await admin(school), await school.person()];
      await (await handsIn(school, person)).send();
      const document = await newestOf(school, 'staff_document');
      return post(browser, `staff/${person.staffId}/document/${document}/decide`, { version: 1, isVerified: true });
    },
  ],
  'DELETE /staff/:id/document/:document': [
    ['staff.document-removed'],
    async (school) => {
      const person = await school.person();
      await (await handsIn(school, person)).send();
      return removal(person, `staff/${person.staffId}/document/${await newestOf(school, 'staff_document')}`);
    },
  ],
  'POST /staff/import': [
    ['staff.created', 'staff.imported'],
    async (school) => importing(school, (await admin(school)).browser),
  ],
  'POST /staff/import/undo': [
    ['import.undone'],
    async (school) => {
      const { browser } = await admin(school);
      const { json } = await (await importing(school, browser)).send();
      const input = { importId: json.importId };
      const { confirmToken } = (await post(browser, 'staff/import/undo', input).send()).json;
      return post(browser, 'staff/import/undo', { ...input, confirmToken });
    },
  ],
  'POST /staff/view': [
    ['list-view.saved'],
    async (school) => post(await school.person({ sets: ['office'] }), 'staff/view', listView),
  ],
  'DELETE /staff/view/:id': [
    ['list-view.removed'],
    async (school) => {
      const person = await school.person({ sets: ['office'] });
      const { json } = await post(person, 'staff/view', listView).send();
      const send = async (over: object = {}) =>
        person.send({ method: 'DELETE', url: `/api/staff/view/${json.id}`, body: over });
      return { browser: person, send };
    },
  ],
  'POST /staff': [
    ['staff.created'],
    async (school) => {
      const number = nextNumber();
      const person = { name: 'Rekha', gender: '', email: `new${number}@school.example`, mobile: '' };
      const hired = { ...(await work(school)), joinedOn: '2026-06-01', employeeNumber: '' };
      return post((await admin(school)).browser, 'staff', { ...person, ...hired });
    },
  ],
  'DELETE /staff/:id/added': [
    ['staff.removed'],
    async (school) => {
      const number = nextNumber();
      const { browser } = await admin(school);
      const person = { name: 'Rekha', gender: '', email: `new${number}@school.example`, mobile: '' };
      const hired = { ...(await work(school)), joinedOn: '2026-06-01', employeeNumber: '' };
      await post(browser, 'staff', { ...person, ...hired }).send();
      const url = `/api/staff/${await newestOf(school, 'staff')}/added`;
      return { browser, send: (over = {}) => browser.send({ method: 'DELETE', url, body: { version: 1, ...over } }) };
    },
  ],
  'PUT /staff/:id': [
    ['staff.changed'],
    async (school) => {
      const [{ browser }, { staffId }] = [await admin(school), await school.person()];
      const { version, person } = (await browser.send({ url: `/api/staff/${staffId}/record` })).json;
      const body = { ...person, version, email: `new${nextNumber()}@school.example` };
      const url = `/api/staff/${staffId}`;
      return { browser, send: (over = {}) => browser.send({ method: 'PUT', url, body: { ...body, ...over } }) };
    },
  ],
  'POST /staff/:id/post': [
    ['staff.post-changed'],
    async (school) => {
      const [{ browser }, { staffId }] = [await admin(school), await school.person()];
      return post(browser, `staff/${staffId}/post`, { ...(await work(school)), version: 1, from: '2090-06-01' });
    },
  ],
  'POST /staff/:id/relieve': [
    ['staff.relieved', 'account.ended'],
    async (school) => {
      const [{ browser }, { staffId }] = [await admin(school), await school.person()];
      const [reason] = await school.sql('select id from hris_separation_reason limit 1');
      const relieving = post(browser, `staff/${staffId}/relieve`, {
        lastDay: toLocalDate(new Date()),
        separationReasonId: Number(reason?.id),
      });
      const { confirmToken } = (await relieving.send()).json;
      return { browser, send: (over = {}) => relieving.send({ confirmToken, ...over }) };
    },
  ],
  'POST /staff/:id/rejoin': [
    ['staff.rejoined'],
    async (school) => {
      const [{ browser }, { staffId }] = [await admin(school), await school.person()];
      await school.sql(`update staff_employment set joined_on = '2020-01-01', last_day = '2020-12-31'
        where staff_id = ${staffId}`);
      const [designation, department, branch] = [
        await create(browser, designationMaster),
        await create(browser, departmentMaster),
        await create(browser, branchMaster),
      ];
      return post(browser, `staff/${staffId}/rejoin`, {
        joinedOn: '2026-01-01',
        designationId: designation.id,
        departmentId: department.id,
        branchId: branch.id,
      });
    },
  ],
  'POST /staff/:id/invite': [
    ['account.created', 'staff.invited'],
    async (school) => {
      const number = nextNumber();
      const [row] = await school.sql(`insert into staff (name, employee_number, email)
        values ('Invited', 'I${number}', 'i${number}@staff.example') returning id`);
      return post((await admin(school)).browser, `staff/${row?.id}/invite`, { channel: 'Email', sets: ['office'] });
    },
  ],
  'POST /staff/:id/suspend': [
    ['account.changed'],
    async (school) => {
      const { staffId } = await school.person();
      return post((await admin(school)).browser, `staff/${staffId}/suspend`, { version: 1, isSuspended: true });
    },
  ],
  'POST /staff/:id/grant': [
    ['account.changed'],
    async (school) => {
      const { staffId } = await school.person();
      return post((await admin(school)).browser, `staff/${staffId}/grant`, { version: 1, sets: ['office'] });
    },
  ],
  'POST /staff/account': [
    ['account.changed'],
    async (school) => {
      const [{ browser }, { staffId }] = [await admin(school), await school.person()];
      const act = { selection: { ids: [staffId] }, act: 'Suspend', channel: '' };
      const { json } = await post(browser, 'staff/account', act).send();
      return post(browser, 'staff/account', { ...act, confirmToken: json.confirmToken });
    },
  ],
  'POST /staff/id-card': [
    ['staff.id-cards-printed'],
    async (school) => {
      const { staffId } = await school.person();
      return post((await admin(school)).browser, 'staff/id-card', { ids: [staffId] });
    },
  ],
};
