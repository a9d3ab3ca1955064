import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { getMe, hasSignedIn, isSignedOut } from '#features/sign-in/pages/session.ts';
import { AppError, awayMessage } from '#kit/contract/errors.ts';

/**
 * For code that could not be fetched. Where nothing answers, the page says so; where the server is there and the file is
 * gone, as after an update, the router loads everything anew.
 */
async function orAway(error: unknown): Promise<never> {
  const isThere = await fetch('/healthz').then(
    () => true,
    () => false,
  );
  throw isThere ? error : new AppError('unavailable', awayMessage);
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => {
    throw redirect({ to: '/login' });
  },
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('#features/sign-in/pages/SignInPage.tsx').catch(orAway), 'SignInPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('#features/sign-in/pages/ResetPage.tsx').catch(orAway), 'ResetPage'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('#features/sign-in/pages/SignUpPage.tsx').catch(orAway), 'SignUpPage'),
});

/** Whether a page says by itself that one must sign in: the staff's admission pages do, and ask nobody (S132). */
const saysItself = (pathname: string) => /^\/school-erp\/admission(\/|$)/.test(pathname);

const shell = createRoute({
  getParentRoute: () => root,
  path: '/school-erp',
  // The guard. What somebody may see is decided by the server, at every call of every page.
  beforeLoad: async ({ location }) => {
    if (saysItself(location.pathname) && !hasSignedIn()) return { me: undefined };
    try {
      return { me: await getMe() };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      if (saysItself(location.pathname)) return { me: undefined };
      throw redirect({ to: '/login' });
    }
  },
  component: lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'ShellRoute'),
  errorComponent: lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'AwayPage'),
});
/** In place of a page of the shell that cannot be shown; the shell around it stays. */
const errorComponent = lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'ProblemPage');
const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/school-erp/dashboard', replace: true });
  },
});
const dashboard = createRoute({
  getParentRoute: () => shell,
  path: 'dashboard',
  component: lazyRouteComponent(() => import('./shell/ShellRoute.tsx').catch(orAway), 'DashboardRoute'),
  errorComponent,
});
const profile = createRoute({
  getParentRoute: () => shell,
  path: 'staff/view-staff/$userID',
  component: lazyRouteComponent(() => import('#features/staff/pages/ProfilePage.tsx').catch(orAway), 'ProfilePage'),
  errorComponent,
});
const accounts = createRoute({
  getParentRoute: () => shell,
  path: 'sign-in/account',
  component: lazyRouteComponent(() => import('#features/sign-in/pages/AccountsPage.tsx').catch(orAway), 'AccountsPage'),
  errorComponent,
});
const audit = createRoute({
  getParentRoute: () => shell,
  path: 'audit',
  component: lazyRouteComponent(() => import('#features/audit/pages/AuditPage.tsx').catch(orAway), 'AuditPage'),
  errorComponent,
});
const academicMaster = createRoute({
  getParentRoute: () => shell,
  path: 'academic/academic-master',
  component: lazyRouteComponent(
    () => import('#features/academic/pages/AcademicMasterPage.tsx').catch(orAway),
    'AcademicMasterPage',
  ),
  errorComponent,
});
const organizationalMaster = createRoute({
  getParentRoute: () => shell,
  path: 'academic/organizational-master',
  component: lazyRouteComponent(
    () => import('#features/school/pages/OrganizationalMasterPage.tsx').catch(orAway),
    'OrganizationalMasterPage',
  ),
  errorComponent,
});
const sectionTeacher = createRoute({
  getParentRoute: () => shell,
  path: 'academic/section-teacher-mapping',
  component: lazyRouteComponent(
    () => import('#features/teaching/pages/SectionTeacherPage.tsx').catch(orAway),
    'SectionTeacherPage',
  ),
  errorComponent,
});
const sectionStudent = createRoute({
  getParentRoute: () => shell,
  path: 'academic/section-student-mapping',
  component: lazyRouteComponent(
    () => import('#features/student/pages/SectionStudentPage.tsx').catch(orAway),
    'SectionStudentPage',
  ),
  errorComponent,
});
const subjectMaster = createRoute({
  getParentRoute: () => shell,
  path: 'configuration/subject',
  component: lazyRouteComponent(
    () => import('#features/subject/pages/SubjectMasterPage.tsx').catch(orAway),
    'SubjectMasterPage',
  ),
  errorComponent,
});
const tagMaster = createRoute({
  getParentRoute: () => shell,
  path: 'configuration/tag-master',
  component: lazyRouteComponent(() => import('#features/tag/pages/TagMasterPage.tsx').catch(orAway), 'TagMasterPage'),
  errorComponent,
});
const skillMaster = createRoute({
  getParentRoute: () => shell,
  path: 'configuration/skill-master',
  component: lazyRouteComponent(
    () => import('#features/skill/pages/SkillMasterPage.tsx').catch(orAway),
    'SkillMasterPage',
  ),
  errorComponent,
});
const coming = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyRouteComponent(() => import('./shell/ComingPage.tsx').catch(orAway), 'ComingPage'),
  errorComponent,
});

/** The router of everything but the parents' form. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    reset,
    signUp,
    shell.addChildren([
      ...[start, dashboard, profile, accounts, audit],
      ...[academicMaster, organizationalMaster, sectionTeacher, sectionStudent, subjectMaster, tagMaster, skillMaster],
      coming,
    ]),
  ]),
  defaultPendingMs: 200,
  trailingSlash: 'preserve',
  // Search values stay the text they are: digits alone must not become a number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
});
