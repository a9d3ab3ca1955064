/** The tab of academic years of the Academic Master. */
export { YearTab } from '../pages/YearTab.tsx';
