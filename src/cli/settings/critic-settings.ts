import type { CriticSettings } from "../../agent/critic/settings.ts";
import type { Settings } from "./schema.ts";

/** How answers are judged, as the settings say it. */
export function criticSettings(settings: Settings): CriticSettings {
  const { criticShadowTemperature: temperature } = settings;
  return {
    mode: settings.criticMode,
    share: settings.criticShare,
    model: settings.criticModel,
    rubric: settings.criticRubric,
    samples: settings.criticSamples,
    personas: settings.criticPersonas,
    shadow: settings.criticShadow,
    shadowModel: settings.criticShadowModel,
    shadowAgent: settings.criticShadowAgent,
    ...(temperature !== null && { shadowTemperature: temperature }),
  };
}
