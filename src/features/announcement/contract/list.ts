import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { nameOptions, optionsInput } from '#kit/contract/field.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { categories } from './announcement.ts';
import { priorities } from './priority.ts';
import { announcementStates, path, shows, writers } from './words.ts';

/** The tags of announcements. */
export const tagChoices = endpoint({
  method: 'GET',
  path: `${path}/tag-option`,
  access: writers,
  shows: ['tag'],
  input: z.object(optionsInput),
  output: nameOptions,
});

/** The announcements that the user wrote, and for office and principal all of their branches. */
export const announcementList = defineList({
  name: 'announcement',
  path,
  singular: text`announcement`,
  plural: text`announcements`,
  access: writers,
  shows,
  columns: {
    title: { kind: 'text', label: text`Title` },
    category: { kind: 'text', label: text`Category` },
    priority: { kind: 'oneOf', label: text`Priority`, options: priorities },
    audience: { kind: 'text', label: text`For` },
    author: { kind: 'text', label: text`Author`, isAside: true },
    publishOn: { kind: 'date', label: text`Published on`, isSorted: true, isLabelled: true },
    expiresOn: { kind: 'date', label: text`Expires on`, isAside: true, isLabelled: true },
    reach: { kind: 'number', label: text`Recipients`, isLabelled: true },
    read: { kind: 'number', label: text`Read`, isLabelled: true },
    acknowledged: { kind: 'text', label: text`Acknowledged`, isLabelled: true },
    state: { kind: 'oneOf', label: text`State`, options: announcementStates, onPhone: 'end' },
  },
  filters: {
    categoryId: { kind: 'ref', label: text`Category`, options: categories.options },
    priority: { kind: 'oneOf', label: text`Priority`, options: priorities },
    tagId: { kind: 'ref', label: text`Tag`, options: tagChoices },
  },
  tabs: {
    mine: text`Mine`,
    published: text`Published`,
    scheduled: text`Scheduled`,
    waiting: text`Waiting`,
    archive: text`Archive`,
  },
  sort: '-publishOn',
  tabSorts: { scheduled: 'publishOn' },
  extra: { version: z.number() },
});
