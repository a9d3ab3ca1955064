import { PageLink, type usePageNavigate } from '#kit/browser/ui/PageLink.tsx';

/** Only the compiler reads this; an expected error that does not occur is an error itself. */
export const links = (navigate: ReturnType<typeof usePageNavigate>) => [
  <PageLink key={1} to="/school-erp/audit" />,
  <PageLink key={2} to="/school-erp/academic/academic-master" search={{ tab: 'year' }} />,
  <PageLink key={3} to="/school-erp/staff/view-staff/$userID" params={{ userID: '7' }} />,
  // @ts-expect-error No page has this address.
  <PageLink key={4} to="/school-erp/academic/master" />,
  // @ts-expect-error The page's manifest lists no such search key.
  <PageLink key={5} to="/school-erp/academic/academic-master" search={{ tag: 'year' }} />,
  // @ts-expect-error This page's manifest lists no search key.
  <PageLink key={6} to="/school-erp/audit" search={{ tab: 'year' }} />,
  // @ts-expect-error The address has a part that varies.
  <PageLink key={7} to="/school-erp/staff/view-staff/$userID" />,
  // @ts-expect-error The parameter has another name.
  <PageLink key={8} to="/school-erp/staff/view-staff/$userID" params={{ id: '7' }} />,
  navigate({ to: '/school-erp' }),
  // @ts-expect-error No page has this address.
  navigate({ to: '/school' }),
  // @ts-expect-error The form's pages have no tabs.
  navigate({ to: '/admission1', search: { tab: 'year' } }),
];
