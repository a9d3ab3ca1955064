import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  exports: {
    'GET /report/student/export': async ({ pupil }) => {
      await pupil();
      return { url: '/report/student/export?as=csv&tab=all' };
    },
    'POST /report/student/section-paper': async ({ pupil }) => ({
      url: '/report/student/section-paper',
      body: { sectionId: await pupil(), cards: ['enrollment'] },
    }),
    'GET /report/staff/export': async () => ({ url: '/report/staff/export?as=csv&tab=all' }),
  },
};
