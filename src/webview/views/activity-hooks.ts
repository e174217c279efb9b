import { useEffect } from "preact/hooks";
import type { Store } from "../store.ts";

/** Has the host tell of some activity as long as this is shown. */
export function useActivity(store: Store, of: string): void {
  const { activity } = store.views;
  useEffect(() => {
    activity.watch(of);
    return () => activity.leave(of);
  }, [activity, of]);
}

/** Has the host tell of some settings as long as they are shown. */
export function useSettings(store: Store, group: string): void {
  const { settings } = store.views;
  useEffect(() => {
    settings.watch(group);
    return () => settings.leave(group);
  }, [settings, group]);
}
