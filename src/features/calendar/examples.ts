import type { Examples, Stage } from '#testing/examples.ts';
import { plant } from '#testing/masters.ts';
import { yearMaster } from './contract/masters.ts';

/** Copies a new year; returns the trial's answer and the call that applies it. */
async function rollOver({ school, admin }: Stage) {
  const { id } = await plant(school, yearMaster);
  const days = { startsOn: '2290-06-01', endsOn: '2291-05-31', ageCutoffOn: '2290-06-01' };
  const body = { name: '2290-91', ...days, parts: 'Terms' };
  const send = (more: object) =>
    admin.send({ method: 'POST', url: `/api/academic/year/${id}/roll-over`, body: { ...body, ...more } });
  const { json } = await send({});
  return () => send({ confirmToken: json.confirmToken });
}

/** An act on a new year that needs its version alone. */
const onYear = (method: 'POST' | 'DELETE', act: string) => async (stage: Stage) => {
  const { id, version } = await plant(stage.school, yearMaster);
  return () => stage.admin.send({ method, url: `/api/academic/year/${id}${act}`, body: { version } });
};

export const examples: Examples = {
  reported: {
    'POST /academic/year/:id/roll-over': rollOver,
    'POST /academic/year/:id/discard': onYear('POST', '/discard'),
    'DELETE /academic/year/:id': onYear('DELETE', ''),
  },
};
