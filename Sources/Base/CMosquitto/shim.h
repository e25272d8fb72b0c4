#ifndef POOLSENSORS_CMOSQUITTO_SHIM_H
#define POOLSENSORS_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>

#endif
