import * as z from 'zod/mini';
import { admin, staff } from '#access/contract/grants.ts';
import { gradeMaster } from '#features/academic/contract/masters.ts';
import { sectionOptions } from '#features/student/contract/list.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { memberApi } from './member.ts';

const access = [staff('office'), admin()];
const shows = ['club-meeting'];

export const meetingList = defineList({
  name: 'club-meeting',
  path: '/club-meeting',
  singular: text`planted meeting`,
  plural: text`planted meetings`,
  access,
  shows,
  columns: { name: { label: text`Name`, kind: 'text', isSorted: true } },
  filters: {
    clubId: { kind: 'ref', label: text`Planted club`, options: memberApi.clubs },
    gradeId: filterBy({ label: text`Grade`, to: namedBy(gradeMaster) }),
    sectionId: { kind: 'ref', label: text`Section`, options: sectionOptions, narrowedBy: ['gradeId'] },
  },
  tabs: { all: text`All` },
  extra: {},
});

export const meetingApi = {
  record: endpoint({
    method: 'GET',
    path: '/club-meeting/:id/record',
    access,
    shows,
    input: z.object({ id }),
    output: z.object({ id: z.number(), name: z.string() }),
  }),
};
