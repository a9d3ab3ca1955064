import * as z from 'zod/mini';
import { admin, signedIn } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { departmentMaster } from '#features/school/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

export const priorities = options('Low', 'Medium', 'High', 'Urgent');
export type Priority = (typeof priorities)[number];

/** The policies, as a target of fields. */
export const policyNames = {
  table: 'ticket_policy',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 60 }) },
  options: endpoint({
    method: 'GET',
    path: '/ticket/policy/option',
    access,
    shows: ['ticket-policy'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
};

export const categoryMaster = defineMaster({
  table: 'ticket_category',
  path: '/ticket/category',
  singular: text`category`,
  plural: text`categories`,
  description: text`Topics of tickets. The category decides who gets a new ticket and how fast it is answered.`,
  access,
  optionAccess: signedIn,
  fields: {
    parentId: field.ref(text`Part of`, {
      to: 'self',
      optional: true,
      hint: text`Leave empty for a category of its own.`,
    }),
    name: field.text(text`Name`, { max: 60 }),
    departmentId: field.ref(text`Department`, { to: namedBy(departmentMaster) }),
    assigneeId: field.ref(text`Assigned to`, {
      to: staffNames,
      optional: true,
      hint: text`Leave empty for the queue of the department.`,
    }),
    policyId: field.ref(text`Policy`, {
      to: policyNames,
      optional: true,
      isAside: true,
      hint: text`Leave empty for the default policy.`,
    }),
    priority: field.oneOf(text`Usual priority`, { options: priorities }),
    requiresStudent: field.yesNo(text`Needs a student`, { isAside: true }),
    requiresPlace: field.yesNo(text`Needs a place`, { isAside: true }),
    isConfidential: field.yesNo(text`Confidential`, { isAside: true }),
    template: field.longText(text`Hints for the description`, { max: 4000, optional: true }),
  },
  labelFields: ['parentId', 'name'],
  constraintMessages: {
    ticket_category_open: {
      field: 'isActive',
      message: text`It has open tickets. Choose “Replace…” in its menu.`,
    },
    ticket_category_levels: {
      field: 'parentId',
      message: text`Choose a category that is not part of another one, or leave this empty.`,
    },
  },
});

export const holdReasonMaster = defineMaster({
  table: 'ticket_hold_reason',
  path: '/ticket/hold-reason',
  singular: text`hold reason`,
  plural: text`hold reasons`,
  description: text`Why a ticket waits. Its clock stops while it is on hold.`,
  access,
  optionAccess: signedIn,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    resumesOnReply: field.yesNo(text`A reply of the requester ends the hold`),
  },
});

export const cannedReplyMaster = defineMaster({
  table: 'ticket_canned_reply',
  path: '/ticket/canned-reply',
  singular: text`canned reply`,
  plural: text`canned replies`,
  description: text`Texts that agents choose when they reply or resolve.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    text: field.longText(text`Text`, { max: 2000, isAside: false }),
  },
});

export const ticketMasters = [categoryMaster, holdReasonMaster, cannedReplyMaster] as const;
