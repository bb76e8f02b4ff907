{{- define "reprise.fullname" -}}
{{- if contains "reprise" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-reprise" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "reprise.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "reprise.fullname" .) }}
{{- end }}

{{- define "reprise.labels" -}}
app.kubernetes.io/name: reprise
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "reprise.selector" -}}
app.kubernetes.io/name: reprise
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "reprise.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "reprise.env" -}}
- name: POD_NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
- name: POD_SA_NAME
  valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}
- name: REPRISE_LOG_FORMAT
  value: {{ .Values.logFormat }}
- name: TEMPORAL_ADDRESS
  value: {{ .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.apiKeySecret }}
- name: TEMPORAL_API_KEY
  valueFrom: {secretKeyRef: {name: {{ . }}, key: apiKey}}
{{- end }}
{{- if .Values.temporal.tlsSecret }}
- name: TEMPORAL_TLS
  value: "true"
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/reprise/temporal-tls/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/reprise/temporal-tls/tls.key
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/reprise/temporal-tls/ca.crt
{{- end }}
{{- if .Values.defaults }}
- name: REPRISE_DEFAULTS
  value: {{ range $i, $name := keys .Values.defaults | sortAlpha }}{{ if $i }},{{ end }}{{ $name }}={{ get $.Values.defaults $name }}{{ end }}
{{- end }}
{{- end }}

{{- define "reprise.podSpec" -}}
serviceAccountName: {{ include "reprise.serviceAccount" . }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
{{- with .Values.temporal.tlsSecret }}
  - name: temporal-tls
    secret: {secretName: {{ . }}}
{{- end }}
{{- end }}

{{- define "reprise.container" -}}
image: {{ include "reprise.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- if .Values.temporal.tlsSecret }}
  - name: temporal-tls
    mountPath: /etc/reprise/temporal-tls
    readOnly: true
{{- end }}
{{- end }}
