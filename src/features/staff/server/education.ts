import { fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { educationApi, experience } from '../contract/education.ts';
import { seeKeptStaff, seeWholeStaff } from './visible.ts';

const education: Handler<typeof educationApi.education> = async (ctx, { id }) => {
  await seeWholeStaff(ctx, id);
  const qualifications = await ctx.db
    .selectFrom('staff_qualification as own')
    .innerJoin('hris_qualification as qualification', 'qualification.id', 'own.qualification_id')
    .where('own.staff_id', '=', id)
    .select([
      'own.id',
      'qualification.name',
      'qualification.is_teacher_training as isTeacherTraining',
      'own.subject',
      'own.institute',
      'own.year',
      'own.result',
    ])
    .orderBy('own.year', (order) => order.desc().nullsLast())
    .orderBy('own.id')
    .execute();
  const rows = await ctx.db
    .selectFrom('staff_experience')
    .where('staff_id', '=', id)
    .select(['id', 'employer', 'job_title', 'from_day', 'until_day'])
    .orderBy('from_day', 'desc')
    .orderBy('id')
    .execute();
  return {
    qualifications,
    experience: rows.map((row) => toOutput(experience, row, {})),
  };
};

const addQualification: Handler<typeof educationApi.addQualification> = async (ctx, input) => {
  const { id, qualificationId, ...facts } = input;
  await seeKeptStaff(ctx, id);
  await seeWholeStaff(ctx, id);
  const qualification = await ctx.db
    .selectFrom('hris_qualification')
    .where('id', '=', qualificationId)
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .forKeyShare()
    .executeTakeFirst();
  if (!qualification) throw fieldRefusal('qualificationId', inactiveMessage);
  await ctx.db
    .insertInto('staff_qualification')
    .values({ staff_id: id, qualification_id: qualification.id, ...facts })
    .execute();
  const details = { qualification: qualification.name };
  await audit(ctx, { action: 'staff.qualification-added', entity: 'staff', entityId: id, details });
  return {};
};

const removeQualification: Handler<typeof educationApi.removeQualification> = async (ctx, { id, qualification }) => {
  await seeKeptStaff(ctx, id);
  const removed = await ctx.db
    .deleteFrom('staff_qualification as own')
    .using('hris_qualification')
    .whereRef('hris_qualification.id', '=', 'own.qualification_id')
    .where('own.id', '=', qualification)
    .where('own.staff_id', '=', id)
    .returning('hris_qualification.name')
    .executeTakeFirstOrThrow(notFound);
  const details = { qualification: removed.name };
  await audit(ctx, { action: 'staff.qualification-removed', entity: 'staff', entityId: id, details });
  return {};
};

const addExperience: Handler<typeof educationApi.addExperience> = async (ctx, input) => {
  const { id, employer, jobTitle, fromDay, untilDay } = input;
  await seeKeptStaff(ctx, id);
  await seeWholeStaff(ctx, id);
  await ctx.db
    .insertInto('staff_experience')
    .values({ staff_id: id, employer, job_title: jobTitle, from_day: fromDay, until_day: untilDay || null })
    .execute();
  await audit(ctx, { action: 'staff.experience-added', entity: 'staff', entityId: id, details: { employer } });
  return {};
};

const removeExperience: Handler<typeof educationApi.removeExperience> = async (ctx, { id, experience }) => {
  await seeKeptStaff(ctx, id);
  const removed = await ctx.db
    .deleteFrom('staff_experience')
    .where('id', '=', experience)
    .where('staff_id', '=', id)
    .returning('employer')
    .executeTakeFirstOrThrow(notFound);
  const details = { employer: removed.employer };
  await audit(ctx, { action: 'staff.experience-removed', entity: 'staff', entityId: id, details });
  return {};
};

export const educationRoutes = routes(educationApi, {
  education,
  addQualification,
  removeQualification,
  addExperience,
  removeExperience,
});
