import type { GalleryEntry } from './entry.ts';

export const openMeteo: GalleryEntry = {
  id: 'open-meteo',
  name: 'Open-Meteo weather',
  description: 'Weather forecasts for any place on earth, and the coordinates of places by name.',
  baseUrl: 'https://api.open-meteo.com',
  documentationUrl: 'https://open-meteo.com/en/docs',
  credential: { need: 'none' },
  openapi: `openapi: 3.1.0
info:
  title: Open-Meteo weather
  version: '1'
servers:
  - url: https://api.open-meteo.com
paths:
  /v1/forecast:
    get:
      operationId: getForecast
      summary: Weather at a place, now and for up to 16 days
      description: >-
        Name what you want in current, hourly or daily. Without any of them only the place is answered.
      parameters:
        - {name: latitude, in: query, required: true, schema: {type: number, minimum: -90, maximum: 90}}
        - {name: longitude, in: query, required: true, schema: {type: number, minimum: -180, maximum: 180}}
        - name: current
          in: query
          description: Values of this moment.
          explode: false
          schema: {type: array, items: {$ref: '#/components/schemas/Variable'}}
        - name: hourly
          in: query
          description: Values hour by hour.
          explode: false
          schema: {type: array, items: {$ref: '#/components/schemas/Variable'}}
        - name: daily
          in: query
          description: Values day by day; they need a timezone.
          explode: false
          schema:
            type: array
            items:
              type: string
              enum: [weather_code, temperature_2m_max, temperature_2m_min, apparent_temperature_max,
                apparent_temperature_min, sunrise, sunset, daylight_duration, sunshine_duration,
                uv_index_max, precipitation_sum, rain_sum, snowfall_sum, precipitation_hours,
                precipitation_probability_max, wind_speed_10m_max, wind_gusts_10m_max]
        - name: timezone
          in: query
          description: A name such as Europe/Berlin, or auto for that of the place.
          schema: {type: string}
        - {name: forecast_days, in: query, description: Seven if omitted., schema: {type: integer, minimum: 0, maximum: 16}}
        - {name: past_days, in: query, schema: {type: integer, minimum: 0, maximum: 92}}
        - {name: temperature_unit, in: query, schema: {type: string, enum: [celsius, fahrenheit]}}
        - {name: wind_speed_unit, in: query, schema: {type: string, enum: [kmh, ms, mph, kn]}}
        - {name: precipitation_unit, in: query, schema: {type: string, enum: [mm, inch]}}
      responses:
        '200': {description: The forecast}
  /v1/search:
    servers:
      - url: https://geocoding-api.open-meteo.com
    get:
      operationId: findPlaces
      summary: Coordinates, time zone and country of places by name or postal code
      parameters:
        - {name: name, in: query, required: true, description: At least two characters., schema: {type: string}}
        - {name: count, in: query, description: Ten if omitted., schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: language, in: query, description: Of the names that are answered; two lower-case letters., schema: {type: string}}
      responses:
        '200': {description: Places}
components:
  schemas:
    Variable:
      type: string
      enum: [temperature_2m, relative_humidity_2m, dew_point_2m, apparent_temperature, precipitation,
        rain, showers, snowfall, weather_code, cloud_cover, pressure_msl, surface_pressure,
        wind_speed_10m, wind_direction_10m, wind_gusts_10m, is_day]
`,
};
