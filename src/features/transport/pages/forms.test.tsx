import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { riderApi } from '../contract/rider.ts';
import type { Route } from '../contract/route.ts';
import { stopChanges } from '../contract/stop-change.ts';
import { AssignForm } from './AssignForm.tsx';
import { RouteStops } from './RouteStops.tsx';
import { StopChangeForm } from './StopChangeForm.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const answers = {
  'GET /api/transport/stop/option': [{ id: 3, name: 'Pal RTO', isActive: true }],
  'GET /api/transport/student/option': [{ id: 7, name: 'Ira Shah', isActive: true }],
  'GET /api/staff/option': [{ id: 9, name: 'Asha Desai', isActive: true }],
  'GET /api/transport/free-seat': { trips: [] },
};
const onClose = () => undefined;

test('the trips of a stop are requested for a student, without a member of staff', async () => {
  const { sent } = fakeServer(answers);
  renderPage(<AssignForm students={[{ id: 7, name: 'Ira Shah' }]} onClose={onClose} />);
  await screen.findAllByRole('option', { name: 'Pal RTO' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Pickup' }), { target: { value: '3' } });
  const asked = await waitFor(() => {
    const found = sent.find(({ path }) => path.endsWith('/free-seat'));
    expect(found).toBeDefined();
    return found;
  });
  expect(riderApi.freeSeats.input.parse(asked?.query)).toMatchObject({ studentId: 7, staffId: null, stopId: 3 });
});

test('F7.5 where a chosen rider has a seat already, Add rider opens the stop change of that rider', async () => {
  const ride = {
    pickupTripId: 1,
    pickupStopId: 3,
    dropTripId: null,
    dropStopId: null,
    words: 'Pal RTO',
    amount: 90_000,
  };
  const two = [7, 8].map((id) => ({ id, name: `Rider ${id}`, isActive: true }));
  fakeServer({
    ...answers,
    'GET /api/transport/student/option': two,
    'GET /api/transport/rider/ride': { asked: null, ride },
  });
  renderPage(<AssignForm students={[{ id: 7, name: 'Rider 7' }]} onClose={onClose} />);
  expect(await screen.findByText('Has a seat already: Pal RTO')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Ask for a stop change' }));
  const form = within(await screen.findByRole('dialog', { name: 'Ask for a stop change' }));
  expect(form.getByText('Rider 7. Another person approves it.')).toBeTruthy();
  expect(await form.findByText(/^On this day: Pal RTO/)).toBeTruthy();
  expect(form.queryByRole('combobox', { name: 'Student' })).toBeNull();
});

test('F1.8 each refused rider is named in the list of problems', async () => {
  fakeServer(answers);
  const students = ['Ira Shah', 'Om Patel', 'Zoya Khan'].map((name, place) => ({ id: 7 + place, name }));
  renderPage(<AssignForm students={students} onClose={onClose} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Preview' }));
  const problems = within(await screen.findByRole('alert')).getAllByRole('listitem');
  expect(problems.map(({ textContent }) => textContent?.split(':')[0])).toEqual(students.map(({ name }) => name));
});

for (const [kind, label] of [
  ['Student', 'Student'],
  ['Staff', 'Staff'],
] as const)
  test(`a stop change of ${kind.toLowerCase()} asks for the rider, who is required`, async () => {
    const two = [7, 8].map((id) => ({ id, name: `Rider ${id}`, isActive: true }));
    fakeServer({ ...answers, 'GET /api/transport/student/option': two, 'GET /api/staff/option': two });
    renderPage(<StopChangeForm changes={stopChanges[kind]} onClose={onClose} />);
    const form = within(await screen.findByRole('dialog', { name: 'Ask for a stop change' }));
    expect(await form.findByRole('combobox', { name: label })).toBeTruthy();
    fireEvent.click(form.getByRole('button', { name: 'Send' }));
    expect((await form.findAllByText(/Choose a rider\./)).length).toBeGreaterThan(0);
  });

test('each refused box of a route’s stops is described by its own message', async () => {
  fakeServer(answers);
  const route: Route = {
    ...{ id: 1, version: 1, code: 'R1', name: 'Adajan', direction: 'Pickup', branchId: 1, branch: 'Main' },
    ...{ partnerId: null, isActive: true, today: '2026-11-27', plans: [], trips: [], may: { change: true } },
  };
  renderPage(<RouteStops route={route} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add stops' }));
  const form = within(await screen.findByRole('dialog', { name: 'Stops of Adajan' }));
  await form.findAllByRole('option', { name: 'Pal RTO' });
  for (const name of ['Stop 1', 'Stop 2'])
    fireEvent.change(form.getByRole('combobox', { name }), { target: { value: '3' } });
  fireEvent.change(form.getByRole('textbox', { name: 'Minutes of stop 2' }), { target: { value: 'x' } });
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  const describes = (box: HTMLElement) =>
    document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
  await waitFor(() =>
    expect(describes(form.getByRole('combobox', { name: 'Stop 2' }))).toMatch(/This stop is on the route already/),
  );
  expect(describes(form.getByRole('textbox', { name: 'Minutes of stop 2' }))).not.toBe('');
  expect(form.getByRole('combobox', { name: 'Stop 1' }).hasAttribute('aria-describedby')).toBe(false);
});

const chooseStop = async (way: 'Pickup' | 'Drop') => {
  await waitFor(() => expect(screen.getAllByRole('option', { name: 'Pal RTO' })).toHaveLength(2));
  fireEvent.change(screen.getByRole('combobox', { name: way }), { target: { value: '3' } });
};
const trip = { tripId: 5, time: '07:10', vehicle: 'Bus 1', slot: 'Morning', free: 4, least: 4, leastOn: null };

test('the drop is not at the stop of the pickup where no trip stops on the way home', async () => {
  fakeServer({
    ...answers,
    'GET /api/transport/free-seat': ({ query }) => ({ trips: query.direction === 'Pickup' ? [trip] : [] }),
  });
  renderPage(<AssignForm students={[{ id: 7, name: 'Ira Shah' }]} onClose={onClose} />);
  await chooseStop('Pickup');
  const drop = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Drop' });
  await waitFor(() => expect(drop().value).toBe('3'));
  await waitFor(() => expect(drop().value).toBe(''));
  await chooseStop('Drop');
  expect(await screen.findByText('No trip stops here on this day')).toBeTruthy();
  expect(drop().value).toBe('3');
});

test('a stop change of a student who rides one way leaves the other way without a stop', async () => {
  const ride = {
    pickupTripId: 5,
    pickupStopId: 2,
    dropTripId: null,
    dropStopId: null,
    words: 'Adajan',
    amount: 54_000,
  };
  fakeServer({
    ...answers,
    'GET /api/transport/free-seat': { trips: [trip] },
    'GET /api/transport/rider/ride': { asked: null, ride },
  });
  renderPage(<StopChangeForm changes={stopChanges.Student} onClose={onClose} />);
  const form = within(await screen.findByRole('dialog', { name: 'Ask for a stop change' }));
  await form.findByRole('option', { name: 'Ira Shah' });
  fireEvent.change(form.getByRole('combobox', { name: 'Student' }), { target: { value: '7' } });
  expect(await form.findByText(/On this day: Adajan/)).toBeTruthy();
  await chooseStop('Pickup');
  await waitFor(() => expect(form.getByRole<HTMLSelectElement>('combobox', { name: 'Pickup trip' }).value).toBe('5'));
  expect(form.getByRole<HTMLSelectElement>('combobox', { name: 'Drop' }).value).toBe('');
});
