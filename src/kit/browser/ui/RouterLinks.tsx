// biome-ignore lint/style/noRestrictedImports: Everything else links through PageLink.
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { LinkingContext } from './linking.ts';

// The router's own types know one router in a program.
const linking = { Link: Link as ComponentType<object>, useNavigate, useLocation };

/** Lets the links within it lead through the router around them. */
export const RouterLinks = ({ children }: { children: ReactNode }) => (
  <LinkingContext value={linking}>{children}</LinkingContext>
);
